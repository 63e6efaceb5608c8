"""The rules hold for a good tree and catch each kind of bad one."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import command_line
import cpp_text
import docs
import house_rules
import rooms
import shape
from tree import Tree


def lines(count, text="    f();\n"):
    return text * count


class RuleTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def messages(self, rule):
        return [str(fault) for fault in rule(Tree(self.root))]

    def assert_one(self, rule, *parts):
        found = self.messages(rule)
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])


class Includes(RuleTest):
    def test_down_passes(self):
        self.write("src/proxy/a.cpp", '#include "warmlane/http/x.hpp"\n#include "proxy/b.hpp"\n#include <vector>\n')
        self.write("include/warmlane/http/x.hpp", '#pragma once\n#include "warmlane/core/y.hpp"\n')
        self.assertEqual(self.messages(rooms.check_includes), [])

    def test_own_public_header_passes(self):
        self.write("src/http/a.cpp", '#include "warmlane/http/a.hpp"\n')
        self.assertEqual(self.messages(rooms.check_includes), [])

    def test_each_wrong_include_is_one_fault(self):
        rows = [
            ("up", "src/core/a.cpp", '"warmlane/http/x.hpp"', "core (level 0) includes http (level 2)"),
            ("sideways", "src/proxy/a.cpp", '"warmlane/sim/x.hpp"', "proxy (level 4) includes sim (level 4)"),
            ("up from a public header", "include/warmlane/core/a.hpp", '"warmlane/app/x.hpp"', "includes go down"),
            ("private of another room", "src/proxy/a.cpp", '"http/event.hpp"', "private to http"),
            ("private in a test of another room", "test/proxy/a_test.cpp", '"http/event.hpp"', "private to http"),
            ("private in a public header", "include/warmlane/http/a.hpp", '"http/event.hpp"', "private"),
            ("an unknown room", "src/core/a.cpp", '"warmlane/attic/x.hpp"', "no room"),
            ("Beast outside http", "src/app/a.cpp", "<boost/beast/core.hpp>", "http alone"),
            ("OpenSSL outside http", "test/core/a_test.cpp", "<openssl/ssl.h>", "http alone"),
        ]
        for name, path, include, message in rows:
            with self.subTest(name):
                self.setUp()
                self.write(path, f"\n#include {include}\n")
                self.assert_one(rooms.check_includes, f"{path}:2:", message)

    def test_beast_in_http_passes(self):
        self.write("src/http/a.cpp", "#include <boost/beast/core.hpp>\n")
        self.assertEqual(self.messages(rooms.check_includes), [])

    def test_a_file_outside_every_room(self):
        self.write("src/attic/a.cpp", "\n")
        self.assert_one(rooms.check_rooms_exist, "no room")


class Sizes(RuleTest):
    def test_limits_are_exact(self):
        self.write("src/core/a.cpp", lines(300, "\n"))
        self.write("src/core/b.cpp", lines(301, "\n"))
        self.write("test/core/c_test.cpp", lines(500, "\n"))
        self.assert_one(shape.check_sizes, "src/core/b.cpp", "301 lines")

    def test_a_long_test_file(self):
        self.write("test/core/c_test.cpp", lines(501, "\n"))
        self.assert_one(shape.check_sizes, "up to 500")

    def test_function_limits_are_exact(self):
        self.write("src/core/a.cpp", "void ok() {\n" + lines(40) + "}\nvoid too_long() {\n" + lines(41) + "}\n")
        self.assert_one(shape.check_sizes, "src/core/a.cpp:43:", "41 lines", "too_long")

    def test_a_test_case_may_hold_its_table(self):
        self.write("test/core/a_test.cpp", 'TEST_CASE("a") {\n' + lines(70) + "}\n")
        self.write("test/core/b_test.cpp", 'TEST_CASE("b") {\n' + lines(71) + "}\n")
        self.write("test/core/c_test.cpp", "void helper() {\n" + lines(41) + "}\n")
        found = self.messages(shape.check_sizes)
        self.assertEqual(len(found), 2, found)
        self.assertIn("b_test.cpp", found[0])
        self.assertIn("c_test.cpp", found[1])


class Functions(unittest.TestCase):
    ROWS = [
        ("a plain one", "int f(int a) {\n x;\n}\n", [1]),
        ("in a class in a namespace", "namespace a::b {\nclass C : D {\n int f() const override {\n x;\n y;\n }\n};\n}", [2]),
        ("braced member initialisers", "C::C(int a)\n : a_{a}, b_(2), c_{{1}} {\n x;\n}\n", [1]),
        ("plain member initialisers", "C::C(int a) : a_(a), b_(2) {\n x;\n y;\n}\n", [2]),
        ("a table is none", "const Row rows[] = {\n {f(1)},\n {f(2)},\n};\n", []),
        ("an enum and a struct are none", "enum class E : int {\n a,\n};\nstruct S {\n int a{f()};\n};\n", []),
        ("a template of a struct", "template <class T>\nstruct S {\n void f() {\n x;\n }\n};\n", [1]),
        ("an operator", "bool operator==(A a, A b) {\n x;\n}\n", [1]),
        ("a default argument", "void f(int a = 3, B b = {}) {\n x;\n}\n", [1]),
        ("a trailing return type", "auto f() -> std::vector<int> {\n x;\n}\n", [1]),
        ("a lambda counts with its function", "void f() {\n g([] {\n x;\n });\n}\n", [3]),
        ("braces in text and comments", 'void f() {\n s = "}{{"; // {\n c = \'{\'; /* } */\n r = R"(}})";\n}\n', [3]),
        ("digit separators", "void f() {\n a = 1'000'000;\n}\nvoid g() {\n}\n", [1, 0]),
        ("directives", "#define X(a) {\nvoid f() {\n x;\n}\n", [1]),
        ("two in a row", "void f() {\n x;\n}\nvoid g() {\n x;\n y;\n}\n", [1, 2]),
    ]

    def test_bodies(self):
        for name, code, expected in self.ROWS:
            with self.subTest(name):
                self.assertEqual([length for _, length, _ in cpp_text.functions(code)], expected)


class Text(RuleTest):
    def test_a_header_without_pragma_once(self):
        self.write("src/core/a.hpp", "// Why.\n#pragma once\n")
        self.write("src/core/b.hpp", "#include <vector>\n#pragma once\n")
        self.assert_one(shape.check_headers, "b.hpp")

    def test_each_stranger_is_one_fault(self):
        rows = [
            ("tab", "a\tb\n", "a tab"),
            ("trailing blank", "a \n", "blanks at the end"),
            ("no line end", "a", "line end"),
            ("path of a machine", "see /wo" "rk/main\n", "path of one machine"),
            ("ticket", "fixes iss" "ue #12\n", "ticket"),
            ("author", "Co-Auth" "ored-By: x\n", "who wrote it"),
            ("undone", "TO" "DO: later\n", "undone"),
        ]
        for name, text, message in rows:
            with self.subTest(name):
                self.setUp()
                self.write("docs/a.md", text)
                self.assert_one(shape.check_text, message)

    def test_plain_words_and_test_data_pass(self):
        self.write("docs/a.md", "A session has a user agent and issues requests; it works at work.\n")
        self.write("test/data/page.txt", "as\treceived \n")
        self.assertEqual(self.messages(shape.check_text), [])


class Documentation(RuleTest):
    TABLE = 'constexpr PluginType kBuiltinPlugins[] = {\n    {"a-scorer", make},\n    {"b-picker", make},\n};\n'

    def test_every_plugin_needs_a_test_and_a_section(self):
        self.write("src/plugins/builtin.cpp", self.TABLE)
        self.write("test/plugins/a_scorer_test.cpp", "\n")
        self.write("docs/plugins.md", "## a-scorer\n\n## b-picker\n")
        self.assert_one(docs.check_plugins, "b-picker has no test/plugins/b_picker_test.cpp")
        self.write("test/plugins/b_picker_test.cpp", "\n")
        self.assertEqual(self.messages(docs.check_plugins), [])
        self.write("docs/plugins.md", "## a-scorer\n\n### b-picker\n")
        self.assert_one(docs.check_plugins, "no section '## b-picker'")

    def test_a_lost_table_is_a_fault(self):
        self.write("src/plugins/builtin.cpp", "int x;\n")
        self.assert_one(docs.check_plugins, "no table")

    def test_metrics_and_their_page_agree(self):
        self.write("src/observability/a.cpp", 'add("warmlane_a_seconds"); // "warmlane_comment"\nadd("warmlane_b_total");\n')
        self.write("docs/metrics.md", "`warmlane_a_seconds_bucket` and `warmlane_c`\n")
        found = self.messages(docs.check_metrics)
        self.assertEqual(len(found), 2, found)
        self.assertIn("does not tell of warmlane_b_total", found[0])
        self.assertIn("tells of warmlane_c", found[1])

    def test_links_lead_somewhere(self):
        self.write("README.md", "[a](docs/a.md) [b](docs/a.md#two-words-20) [c](https://example.com/x)\n")
        self.write("docs/a.md", "## Two words, 2.0\n[up](../README.md) [here](#two-words-20)\n")
        self.assertEqual(self.messages(docs.check_links), [])
        self.write("docs/a.md", "## Other\n[up](README.md)\n")
        found = self.messages(docs.check_links)
        self.assertEqual(len(found), 2, found)
        self.assertIn("docs/a.md#two-words-20", found[0])
        self.assertIn("docs/a.md:2: links to README.md", found[1])

    def test_printed_keys_need_documentation(self):
        self.write("warmlane", "#!/bin/sh\nprintf 'listen:\\n  port: 1 # default\\nplugins:\\n  - type: x\\n'\n")
        (self.root / "warmlane").chmod(0o755)
        self.write("docs/configuration.md", "`listen.port` is\n\n```yaml\nplugins: []\n```\n")
        tree = Tree(self.root)
        found = [str(fault) for fault in command_line.check_configuration(tree, str(self.root / "warmlane"))]
        self.assertEqual(len(found), 1, found)
        self.assertIn("does not tell of type", found[0])

    def test_shown_flags_exist(self):
        self.write("warmlane", "#!/bin/sh\n[ $1 = sim ] && echo '  --speed N  fast' || echo '  --port N  it'\n")
        (self.root / "warmlane").chmod(0o755)
        self.write("README.md", "`warmlane --port 1` and `build/warmlane sim --speed=2`; other --flags do not count\n")
        self.write("docs/a.md", "`warmlane --speed 1`\n\n    warmlane sim --port 2  # --comment\n")
        found = [str(fault) for fault in command_line.check_flags(Tree(self.root), str(self.root / "warmlane"))]
        self.assertEqual(len(found), 2, found)
        self.assertIn("docs/a.md:1: shows the flag --speed", found[0])
        self.assertIn("docs/a.md:3: shows the flag --port", found[1])

    def test_a_binary_that_fails_is_a_fault(self):
        found = list(command_line.check_configuration(Tree(self.root), "/bin/false"))
        self.assertEqual(len(found), 1)


class Whole(RuleTest):
    def test_a_clean_tree_has_no_faults(self):
        self.write("src/core/a.cpp", '#include "warmlane/core/a.hpp"\n')
        self.assertEqual(house_rules.faults(Tree(self.root)), [])


if __name__ == "__main__":
    unittest.main()
