"""Sizes of files and functions, and what no text may hold."""

import re

import cpp_text
from tree import Fault

FILE_LINES = 300
TEST_FILE_LINES = 500
FUNCTION_LINES = 40
# A test case may hold its table of rows.
TEST_CASE_LINES = 70

# Written so that no line here matches itself.
_STRANGERS = {
    r"/[w]ork/|/[r]oot/|/[h]ome/[a-z]": "names a path of one machine",
    r"\.[l]ibrary\b": "names a path of one machine",
    r"(?i)\b(?:[i]ssue|ticket) #?\d+\b": "names a ticket; say what is true instead",
    r"(?i)\b(?:[s]ub-?agents?|[c]o-authored-by)\b": "says who wrote it",
    r"\b(?:TO[D]O|FIX[M]E|XX[X])\b": "leaves something undone",
}


def check_sizes(tree):
    for path in tree.cpp():
        text = tree.read(path)
        in_test = path.startswith("test/")
        limit = TEST_FILE_LINES if in_test else FILE_LINES
        lines = text.count("\n")
        if lines > limit:
            yield Fault(path, limit, f"{lines} lines; a file has up to {limit}")
        for line, length, head in cpp_text.functions(text):
            allowed = TEST_CASE_LINES if in_test and "TEST_CASE" in head else FUNCTION_LINES
            if length > allowed:
                yield Fault(path, line, f"{length} lines in '{head[:60]}'; a function has up to {allowed}")


def check_headers(tree):
    for path in tree.cpp():
        if path.endswith(".hpp") and not re.match(r"(?://[^\n]*\n|\s)*#pragma once\n", tree.read(path)):
            yield Fault(path, 1, "does not begin with #pragma once")


def check_text(tree):
    for path in tree.texts():
        text = tree.read(path)
        if text and not text.endswith("\n"):
            yield Fault(path, text.count("\n") + 1, "does not end with a line end")
        for number, line in enumerate(text.split("\n"), 1):
            yield from _check_line(path, number, line)


def _check_line(path, number, line):
    if "\t" in line:
        yield Fault(path, number, "a tab")
    if line != line.rstrip():
        yield Fault(path, number, "blanks at the end")
    for pattern, message in _STRANGERS.items():
        if re.search(pattern, line):
            yield Fault(path, number, message)
