"""What the binary says of itself and what the documentation says of it are the same."""

import re
import subprocess

from tree import Fault

_CONFIG_DOCS = "docs/configuration.md"
_COMMAND = re.compile(r"(?:^|[\s`/])warmlane((?: +[^\s`|#]+)+)")
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def _output(binary, *arguments):
    return subprocess.run([binary, *arguments], capture_output=True, text=True, timeout=30, check=False)


def printed_keys(text):
    """Keys of a printed configuration: `key:` at the start of a line or of a list item."""
    return set(re.findall(r"^[\s-]*([A-Za-z][A-Za-z0-9]*):", text, re.M))


def check_configuration(tree, binary):
    """Every key that `warmlane --print-config` shows stands in the documentation, in code marks."""
    shown = _output(binary, "--print-config", "--demo", "1")
    if shown.returncode != 0:
        yield Fault(_CONFIG_DOCS, 1, f"--print-config exits {shown.returncode}: {shown.stderr.strip()[:200]}")
        return
    text = tree.read(_CONFIG_DOCS) if tree.exists(_CONFIG_DOCS) else ""
    for key in sorted(printed_keys(shown.stdout)):
        if not re.search(rf"`[^`\n]*\b{re.escape(key)}\b[^`\n]*`|^\s*{re.escape(key)}:", text, re.M):
            yield Fault(_CONFIG_DOCS, 1, f"does not tell of {key}")


def known_flags(binary):
    """Flags that the help of each sub-command names."""
    return {
        "sim": set(_FLAG.findall(_output(binary, "sim", "--help-all").stdout)),
        "serve": set(_FLAG.findall(_output(binary, "--help-all").stdout)),
    }


def _commands(text):
    """(line, sub-command, flags) of every `warmlane ...` that a text shows."""
    for number, line in enumerate(text.splitlines(), 1):
        for command in _COMMAND.findall(line):
            words = command.split()
            yield number, "sim" if words[0] == "sim" else "serve", [w.split("=")[0] for w in words if _FLAG.match(w)]


def check_flags(tree, binary):
    """Every flag of a command that a page or a configuration shows exists."""
    known = known_flags(binary)
    for path in tree.paths:
        if path.endswith(".md") or path.startswith(("conf/", "docker/")):
            for number, command, flags in _commands(tree.read(path)):
                for flag in flags:
                    if flag not in known[command]:
                        yield Fault(path, number, f"shows the flag {flag}, which warmlane does not have")
