#!/usr/bin/env python3
"""Checks the rules of the house that no compiler knows; prints every broken one and exits 1.

house_rules.py [--root DIR] [--binary FILE]    with a binary, what it prints is checked against the docs too
"""

import argparse
import sys
from pathlib import Path

import command_line
import docs
import rooms
import shape
from tree import Tree

RULES = [
    rooms.check_rooms_exist,
    rooms.check_includes,
    shape.check_sizes,
    shape.check_headers,
    shape.check_text,
    docs.check_plugins,
    docs.check_metrics,
    docs.check_links,
]


def faults(tree, binary=None):
    found = [fault for rule in RULES for fault in rule(tree)]
    if binary:
        found += command_line.check_configuration(tree, binary)
        found += command_line.check_flags(tree, binary)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", default=Path(__file__).resolve().parents[2])
    parser.add_argument("--binary")
    arguments = parser.parse_args()
    tree = Tree(arguments.root)
    found = faults(tree, arguments.binary)
    for fault in found:
        print(fault)
    print(f"{len(tree.cpp())} C++ files, {len(found)} broken rules")
    return 1 if found or not tree.cpp() else 0


if __name__ == "__main__":
    sys.exit(main())
