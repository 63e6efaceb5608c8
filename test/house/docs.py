"""What the code offers and what the documentation says of it are the same."""

import posixpath
import re

import cpp_text
from tree import Fault

_BUILTIN = "src/plugins/builtin.cpp"
_PLUGIN_DOCS = "docs/plugins.md"
_METRIC_DOCS = "docs/metrics.md"
_METRIC = re.compile(r"\bwarmlane_[a-z0-9_]+")


def plugin_types(tree):
    """Names of the rows of the table in builtin.cpp."""
    rows = re.search(r"kBuiltinPlugins\[\]\s*=\s*\{(.*?)\n\};", tree.read(_BUILTIN), re.S)
    return re.findall(r'\{\s*(?:\.\w+\s*=\s*)?"([a-z0-9-]+)"', rows.group(1)) if rows else []


def check_plugins(tree):
    if not tree.exists(_BUILTIN):
        return
    types = plugin_types(tree)
    if not types:
        yield Fault(_BUILTIN, 1, "has no table kBuiltinPlugins[] = {...}; with rows")
    text = tree.read(_PLUGIN_DOCS) if tree.exists(_PLUGIN_DOCS) else ""
    sections = set(re.findall(r"^## `?([a-z0-9-]+)`?\s*$", text, re.M))
    for name in types:
        test = f"test/plugins/{name.replace('-', '_')}_test.cpp"
        if not tree.exists(test):
            yield Fault(_BUILTIN, 1, f"{name} has no {test}")
        if name not in sections:
            yield Fault(_PLUGIN_DOCS, 1, f"has no section '## {name}'")


def _strings(text):
    """String literals of C++ code."""
    code = cpp_text.blank(re.sub(r'"(?:\\.|[^"\\\n])*"', lambda m: f"\x01{m.group(0)[1:-1]}\x01", text))
    return re.findall(r"\x01([^\x01\n]*)\x01", code)


def metric_names(tree):
    """Names of the metrics that the sources register: whole string literals."""
    return {
        literal
        for path in tree.cpp()
        if path.startswith("src/observability/")
        for literal in _strings(tree.read(path))
        if _METRIC.fullmatch(literal)
    }


def check_metrics(tree):
    names = metric_names(tree)
    if not names:
        return
    text = tree.read(_METRIC_DOCS) if tree.exists(_METRIC_DOCS) else ""
    told = {re.sub(r"_(?:bucket|sum|count)$", "", name) for name in _METRIC.findall(text)}
    for name in sorted(names - told):
        yield Fault(_METRIC_DOCS, 1, f"does not tell of {name}")
    for name in sorted(told - names):
        yield Fault(_METRIC_DOCS, 1, f"tells of {name}, which no source has")


def check_links(tree):
    """Relative links between pages lead somewhere, to a heading too."""
    for path in tree.paths:
        if path.endswith(".md"):
            for number, line in enumerate(tree.read(path).splitlines(), 1):
                for target in re.findall(r"\]\(([^)\s]+)\)", line):
                    if "://" not in target and not _leads_somewhere(tree, path, target):
                        yield Fault(path, number, f"links to {target}, which is not there")


def _leads_somewhere(tree, path, target):
    file, _, anchor = target.partition("#")
    page = posixpath.normpath(posixpath.join(posixpath.dirname(path), file)) if file else path
    if not tree.exists(page):
        return False
    return not anchor or anchor in _anchors(tree.read(page))


def _anchors(text):
    """Names of the headings, as GitHub makes them."""
    headings = re.findall(r"^#+ +(.*?) *$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
