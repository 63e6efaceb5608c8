#include "config/document.hpp"

#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include <string>

namespace warmlane::config {
namespace {

struct Reading {
    Document document;
    std::vector<ConfigError> errors;
};

Reading read(std::string_view text, const std::map<std::string, std::string, std::less<>>& environment = {}) {
    ConfigSources sources;
    sources.file = "f.yaml";
    sources.environment = environment;
    Reading reading;
    read_yaml(text, sources, reading.document, reading.errors);
    return reading;
}

TEST_CASE("YAML and JSON become the same values") {
    struct Row {
        std::string name;
        const char* text;
        const char* json;
    };
    const Row rows[] = {
        {"nothing", "", "null"},
        {"a comment", "# nothing\n", "null"},
        {"nested blocks", "a:\n  b: 1\n  c:\n    - x\n    - true\n", R"({"a":{"b":1,"c":["x",true]}})"},
        {"flow style", "a: {b: 1, c: [x, true]}", R"({"a":{"b":1,"c":["x",true]}})"},
        {"JSON", "{\"a\": {\"b\": 1,\n\t\"c\": [\"x\", true]}}", R"({"a":{"b":1,"c":["x",true]}})"},
        {"quoted text is text", "a: \"1\"\nb: 'true'\nc: ''", R"({"a":"1","b":"true","c":""})"},
        {"a tag makes text", "a: !!str 5", R"({"a":"5"})"},
        {"an alias repeats", "a: &x {k: 1}\nb: *x", R"({"a":{"k":1},"b":{"k":1}})"},
        {"a value of nothing", "a:\nb: 1", R"({"a":null,"b":1})"},
        {"escapes of JSON", R"(a: "\/A\"\\")", R"({"a":"/A\"\\"})"},
        {"windows line ends", "a: 1\r\nb: 2\r\n", R"({"a":1,"b":2})"},
        {"one document with marks", "---\na: 1\n...\n", R"({"a":1})"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const Reading reading = read(row.text);
        CHECK(reading.errors.empty());
        CHECK(boost::json::serialize(reading.document.root) == row.json);
    }
}

TEST_CASE("each value knows its line") {
    const Reading reading = read("a:\n  b: 1\n\n  list:\n    - x\n    - {k: v}\n");
    const Origins& origins = reading.document.origins;
    CHECK(origins.of("a").line == 1);
    CHECK(origins.of("a.b").line == 2);
    CHECK(origins.of("a.list[0]").line == 5);
    CHECK(origins.of("a.list[1].k").line == 6);
    CHECK(origins.of("a.list[1].absent").kind == Origin::Kind::built_in);
    CHECK(origins.around("a.list[1].absent.deeper").line == 6);
    CHECK(origins.around("elsewhere").line == 1);
}

TEST_CASE("a variable is replaced before the value is typed") {
    const Reading reading = read("port: ${PORT}\ntext: \"${PORT}\"", {{"PORT", "8000"}});
    CHECK(boost::json::serialize(reading.document.root) == R"({"port":8000,"text":"8000"})");
}

TEST_CASE("a broken document is refused with the line") {
    struct Row {
        std::string name;
        std::string text;
        std::string error;
    };
    std::string deep;
    for (int i = 0; i < 70; ++i) {
        deep += "[";
    }
    deep += std::string(70, ']');
    const Row rows[] = {
        {"a tab as indentation", "a:\n\tb: 1\n", "f.yaml:2: not YAML: illegal map value"},
        {"a bracket never closed", "a: [1, 2\nb: 3\n", "f.yaml:2: not YAML: end of sequence flow not found"},
        {"a key twice", "a: 1\nb: 2\na: 3\n", "f.yaml:3: a: the key 'a' stands twice"},
        {"a nested key twice", "x:\n  a: 1\n  a: 2\n", "f.yaml:3: x.a: the key 'a' stands twice"},
        {"an unknown anchor", "a: *nobody\n", "f.yaml:1: not YAML: the referenced anchor is not defined"},
        {"a key that is a list", "[a, b]: 1\n", "f.yaml:1: a key must be a word"},
        {"a tag", "a: !secret x\n", "f.yaml:1: a: tags like '!secret' are not read"},
        {"a second document",
         "a: 1\n---\nb: 2\n",
         "f.yaml:2: more follows behind the first document; a file holds one configuration"},
        {"a comma, which the parser takes for documents without end",
         ",",
         "f.yaml:1: more follows behind the first document; a file holds one configuration"},
        {"bytes that are no text", "a: 1\nb: \"\xff\"\n", "f.yaml:2: not text in UTF-8"},
        {"a zero byte", std::string("a: 1\n\0", 6), "f.yaml:2: not text in UTF-8"},
        {"a variable that is not set",
         "a: 1\nb: x${NO}\n",
         "f.yaml:2: b: the environment variable 'NO' is not set"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const Reading reading = read(row.text);
        REQUIRE(reading.errors.size() == 1);
        CHECK(to_string(reading.errors.front()) == row.error);
    }
    for (const std::string& text : {deep, std::string("a: &a [*a]\n"), std::string("a: &a {b: *a}\n")}) {
        CAPTURE(text);
        const Reading reading = read(text);
        REQUIRE(reading.errors.size() == 1);
        CHECK(reading.errors.front().message == "more than 64 levels of nesting");
    }
}

TEST_CASE("aliases cannot multiply without bound") {
    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string last = "*a" + std::to_string(i - 1);
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
        for (int n = 0; n < 9; ++n) {
            bomb += ", " + last;
        }
        bomb += "]\n";
    }
    const Reading reading = read(bomb);
    REQUIRE(reading.errors.size() == 1);
    CHECK(reading.errors.front().message == "more than 100000 values, repeated ones counted");

    std::string text = "a: &a " + std::string(500'000, 'x') + "\nb: [*a";
    for (int n = 0; n < 20; ++n) {
        text += ", *a";
    }
    const Reading long_text = read(text + "]\n");
    REQUIRE(long_text.errors.size() == 1);
    CHECK(long_text.errors.front().message == "more than 4194304 bytes of text, repeated ones counted");
}

TEST_CASE("a value that is put in place hides what was below") {
    Reading reading = read("endpoints:\n  - url: x\nlisten:\n  port: 1\n");
    Document& document = reading.document;
    document.set("endpoints", boost::json::array{"y"}, {Origin::Kind::flag, "--endpoint", 0});
    document.set("log.level", "warn", {Origin::Kind::environment, "WARMLANE_LOG_LEVEL", 0});
    CHECK(
        boost::json::serialize(document.root) ==
        R"({"endpoints":["y"],"listen":{"port":1},"log":{"level":"warn"}})"
    );
    CHECK(to_string(document.origins.around("endpoints[0].url")) == "flag --endpoint");
    CHECK(to_string(document.origins.of("log.level")) == "environment WARMLANE_LOG_LEVEL");
    CHECK(to_string(document.origins.of("listen.port")) == "f.yaml:4");
}

}  // namespace
}  // namespace warmlane::config
