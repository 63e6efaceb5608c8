"""As much understanding of C++ as the rules need: where code ends and text begins, where functions are."""

import re

_TOKEN = re.compile(
    r'(?P<raw>R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)")'
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)"
    r'|(?P<string>"(?:\\.|[^"\\\n])*")'
    r"|(?P<char>(?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+')",
    re.DOTALL,
)
_NOT_A_FUNCTION = re.compile(r"^\s*(?:inline\s+)?(?:namespace|class|struct|enum|union|extern)\b")
_CONSTRUCTOR_INITIALISERS = re.compile(r"\)\s*(?:noexcept\s*)?:(?!:)")


def blank(text):
    """`text` with comments and the insides of literals as spaces; every line and column stays where it is."""

    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group(0))

    return _TOKEN.sub(spaces, text)


def _blank_directives(code):
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group(0)), code, flags=re.M)


def _closing(code, opening):
    depth = 0
    for at in range(opening, len(code)):
        if code[at] == "{":
            depth += 1
        elif code[at] == "}":
            depth -= 1
            if depth == 0:
                return at
    return len(code) - 1


def _outside_parentheses(head):
    kept, depth = [], 0
    for char in head:
        depth += char == "("
        if depth == 0:
            kept.append(char)
        depth -= char == ")"
    return "".join(kept)


def _opens(head, code, opening):
    """What the brace behind `head` opens: a `scope` to look into, a `value` to pass over, or a `function`."""
    if head.count("(") > head.count(")"):
        return "value"
    flat = re.sub(r"operator\s*\S{1,3}\s*(?=\()", "operator", head)
    if "(" not in head or _NOT_A_FUNCTION.match(head) and ")" not in _outside_parentheses(head):
        is_scope = _NOT_A_FUNCTION.match(re.sub(r"^\s*template\s*<.*?>\s*(?=class|struct|union)", "", head, flags=re.S))
        return "scope" if is_scope else "value"
    if "=" in re.sub(r"[<>=!]=", "", _outside_parentheses(flat)):
        return "value"
    if _CONSTRUCTOR_INITIALISERS.search(head) and re.search(r"[\w>]\s*$", head) and not head.rstrip().endswith(")"):
        return "value"
    return "function"


def functions(text):
    """Yields (first line, lines in the body, head) of every function defined in `text`. A lambda counts with
    the function around it."""
    code = _blank_directives(blank(text))
    at, head_start = 0, 0
    while at < len(code):
        char = code[at]
        if char in ";}":
            head_start = at + 1
        elif char == "{":
            head = code[head_start:at]
            kind = _opens(head, code, at)
            if kind == "scope":
                head_start = at + 1
            else:
                end = _closing(code, at)
                if kind == "function":
                    yield from _function(text, code, head_start, at, end)
                    head_start = end + 1
                at = end
        at += 1


def _function(text, code, head_start, opening, end):
    first = code.count("\n", 0, opening) + 1
    last = code.count("\n", 0, end) + 1
    head = " ".join(text[head_start:opening].split())
    yield first, max(0, last - first - 1), head
