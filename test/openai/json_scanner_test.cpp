#include "openai/json_scanner.hpp"

#include "openai/json_reference.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <optional>
#include <random>
#include <string>

namespace warmlane::openai {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) {
        all += text;
    }
    return all;
}

/// Reads a whole text without looking at what strings hold.
JsonScanner skipped(std::string_view text) {
    JsonScanner scanner(text, kDepth);
    scanner.skip();
    scanner.finish();
    return scanner;
}

struct Case {
    const char* name;
    std::string text;
};

const Case kAccepted[] = {
    {"an empty object", "{}"},
    {"an empty list", "[]"},
    {"white space of all four kinds", " \t\r\n{ \"a\" : [ 1 , 2 ] , \"b\" : { } }\n"},
    {"a lone string", "\"asd\""},
    {"a lone number", "42"},
    {"a lone word", "true"},
    {"null in a list", "[null]"},
    {"an empty key", R"({"":0})"},
    {"a key twice", R"({"a":1,"a":2})"},
    {"a key with an escaped NUL", R"({"foo\u0000bar":42})"},
    {"minus zero", "[-0]"},
    {"an exponent with a sign", "[1E+2,1e-2,1e2]"},
    {"a fraction and an exponent", "[-123.456e78]"},
    {"a fraction of zeros", "[0.000]"},
    {"more digits than any type holds", "[123456789012345678901234567890.1234567890123456789]"},
    {"all short escapes", R"(["\"\\\/\b\f\n\r\t"])"},
    {"a surrogate pair", R"(["\uD834\uDd1e"])"},
    {"an escape in hexadecimal digits of both cases", R"(["\u00e9\u00E9"])"},
    {"noncharacters", "[\"\\uFFFF\\uFDD0\xEF\xBF\xBF\"]"},
    {"DEL as it is", "[\"a\x7f\"]"},
    {"the shortest and longest of each UTF-8 length",
     "[\"\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF\"]"},
    {"around the surrogates", "[\"\xED\x9F\xBF\xEE\x80\x80\"]"},
    {"a string longer than some strides", "[\"" + std::string(1'000, 'x') + "\"]"},
    {"a long string with an escape at its end", "[\"" + std::string(1'000, 'x') + "\\n\"]"},
    {"as deep as is allowed", repeated("[", kDepth) + repeated("]", kDepth)},
    {"objects as deep as is allowed", repeated("{\"a\":", kDepth - 1) + "{}" + repeated("}", kDepth - 1)},
};

struct Refused {
    const char* name;
    std::string text;
    std::size_t offset;
};

const Refused kRefused[] = {
    {"nothing", "", 0},
    {"only white space", "  \n", 3},
    {"a byte order mark", "\xEF\xBB\xBF{}", 0},
    {"a second value", "{} {}", 3},
    {"trailing text", "[1]x", 3},
    {"a NUL at the end", std::string("[1]\0", 4), 3},
    {"NaN", "[NaN]", 1},
    {"Infinity", "[-Infinity]", 2},
    {"a word cut short", "[tru]", 1},
    {"a word in capitals", "[True]", 1},
    {"two words in one", "[nullnull]", 5},
    {"a comment", "[1/*x*/]", 2},
    {"single quotes", "['a']", 1},
    {"a key without quotes", "{a:1}", 1},
    {"a number as a key", "{1:1}", 1},
    {"a missing colon", "{\"a\" 1}", 5},
    {"a missing value", "{\"a\":}", 5},
    {"a comma before the end of an object", "{\"a\":1,}", 7},
    {"a comma before the end of a list", "[1,]", 3},
    {"a leading comma", "[,1]", 1},
    {"two commas", "[1,,2]", 3},
    {"a missing comma", "[1 2]", 3},
    {"a list that ends as an object", "[1}", 2},
    {"an object that ends as a list", "{\"a\":1]", 6},
    {"an end without a beginning", "]", 0},
    {"an open list", "[1", 2},
    {"an open object", "{\"a\":1", 6},
    {"an open string", "\"abc", 4},
    {"an open string of one stride", "\"abcdefghijklmnop", 17},
    {"a string that ends in a backslash", "\"abc\\", 4},
    {"a leading zero", "[012]", 2},
    {"a leading plus", "[+1]", 1},
    {"a minus alone", "[-]", 2},
    {"a dot without digits before it", "[.5]", 1},
    {"a dot without digits after it", "[1.]", 3},
    {"an exponent without digits", "[1e]", 3},
    {"an exponent with a sign alone", "[1e+]", 4},
    {"a hexadecimal number", "[0x1F]", 2},
    {"a line break in a string", "[\"a\nb\"]", 3},
    {"a NUL in a string", std::string("[\"a\0b\"]", 7), 3},
    {"an escape that does not exist", R"(["\x41"])", 2},
    {"an escape of three digits", R"(["\u00e"])", 2},
    {"an escape at the end", R"(["\u)", 2},
    {"UTF-16", std::string("[\0]\0", 4), 1},
    {"a stray continuation byte", "[\"\x80\"]", 2},
    {"an overlong slash", "[\"\xC0\xAF\"]", 2},
    {"an overlong form of three bytes", "[\"\xE0\x9F\xBF\"]", 2},
    {"an overlong form of four bytes", "[\"\xF0\x8F\xBF\xBF\"]", 2},
    {"a surrogate in UTF-8", "[\"\xED\xA0\x80\"]", 2},
    {"beyond the last code point", "[\"\xF4\x90\x80\x80\"]", 2},
    {"a lead byte that does not exist", "[\"\xF5\x80\x80\x80\"]", 2},
    {"a character that is cut off by the quote", "[\"ab\xE2\x82\"]", 4},
    {"a character that is cut off by the end", "[\"ab\xE2\x82", 4},
    {"Latin-1", "[\"caf\xE9\"]", 5},
    {"UTF-8 outside of strings", "[\xC3\xA9]", 1},
    {"one level too deep", repeated("[", kDepth + 1) + repeated("]", kDepth + 1), kDepth},
    {"a hundred thousand levels", repeated("[", 100'000), kDepth},
    {"a hundred thousand objects", repeated("{\"a\":", 100'000), kDepth * 5},
};

}  // namespace

TEST_CASE("json scanner: what RFC 8259 allows is accepted, and read as Boost.JSON reads it") {
    for (const Case& row : kAccepted) {
        CAPTURE(row.name);
        const JsonScanner scanner = skipped(row.text);
        CHECK_FALSE(scanner.failed());
        CHECK(scanner.offset() == row.text.size());
        std::string seen;
        CHECK_FALSE(traced(row.text, seen).failed());
        CHECK(seen == reference(row.text));
    }
}

TEST_CASE("json scanner: what RFC 8259 does not allow is refused at the byte where it goes wrong") {
    for (const Refused& row : kRefused) {
        CAPTURE(row.name);
        const JsonScanner scanner = skipped(row.text);
        CHECK(scanner.failed());
        CHECK(scanner.offset() == row.offset);
        CHECK_FALSE(reference(row.text));

        std::string ignored;
        const JsonScanner pulled = traced(row.text, ignored);
        CHECK(pulled.failed());
        CHECK(pulled.offset() == row.offset);
    }
}

TEST_CASE("json scanner: an error says what is wrong") {
    CHECK(std::string(skipped("[1").reason()) == "the text ends too early");
    CHECK(std::string(skipped("[1 2]").reason()) == "expected a comma or ]");
    CHECK(std::string(skipped("{\"a\":1 2}").reason()) == "expected a comma or }");
    CHECK(std::string(skipped(repeated("[", 99)).reason()) == "it is nested too deeply");
    CHECK(std::string(skipped("\xEF\xBB\xBF[]").reason()) == "a byte order mark is not allowed");
}

TEST_CASE("json scanner: a string without escapes is a view into the text, one with escapes is resolved") {
    struct Row {
        const char* name;
        std::string text;
        std::string value;
        bool view;
    };
    const Row rows[] = {
        {"empty", R"("")", "", true},
        {"plain", R"("abc")", "abc", true},
        {"UTF-8",
         "\"gr\xC3\xBC\xC3\x9F \xE4\xBD\xA0 \xF0\x9F\x8D\x8E\"",
         "gr\xC3\xBC\xC3\x9F \xE4\xBD\xA0 \xF0\x9F\x8D\x8E",
         true},
        {"short escapes", R"("a\"b\\c\/d\b\f\n\r\t")", "a\"b\\c/d\b\f\n\r\t", false},
        {"code points of every UTF-8 length",
         R"("\u0041\u00e9\u20AC\ud83C\udf4E")",
         "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x8D\x8E",
         false},
        {"NUL", R"("\u0000")", std::string(1, '\0'), false},
        {"the ends of the surrogate range",
         R"("\ud7ff\ue000\ud800\udc00\udbff\udfff")",
         "\xED\x9F\xBF\xEE\x80\x80\xF0\x90\x80\x80\xF4\x8F\xBF\xBF",
         false},
        {"UTF-8 after an escape",
         "\"\\n" + repeated("\xE4\xBD\xA0", 100) + "x\"",
         "\n" + repeated("\xE4\xBD\xA0", 100) + "x",
         false},
        {"many code points",
         "\"" + repeated("\\u4f60", 10'000) + "\"",
         repeated("\xE4\xBD\xA0", 10'000),
         false},
        {"many short escapes", "\"" + repeated("\\n", 50'000) + "\"", std::string(50'000, '\n'), false},
        {"long runs between escapes",
         "\"" + repeated(std::string(777, 'x') + "\\t", 300) + "\"",
         repeated(std::string(777, 'x') + "\t", 300),
         false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        std::deque<std::string> chunks;
        Scratch scratch(chunks);
        JsonScanner scanner(row.text, kDepth);
        REQUIRE(scanner.kind() == JsonKind::string);
        const std::string_view value = scanner.read_string(scratch);
        CHECK(value == row.value);
        CHECK((value.data() == row.text.data() + 1) == row.view);
        scanner.finish();
        CHECK_FALSE(scanner.failed());
    }
}

TEST_CASE("json scanner: an escape is resolved wherever it stands in a stride") {
    for (std::size_t before = 0; before < 40; ++before) {
        for (std::size_t after = 0; after < 40; ++after) {
            CAPTURE(before);
            CAPTURE(after);
            const std::string left(before, 'l');
            const std::string right(after, 'r');
            std::string text = "\"";
            text.append(left) += "\\n\\u00e9\xC3\xA9\\\"";
            text.append(right) += '"';
            std::deque<std::string> chunks;
            Scratch scratch(chunks);
            JsonScanner scanner(text, kDepth);
            std::string value = left;
            value.append("\n\xC3\xA9\xC3\xA9\"") += right;
            CHECK(scanner.read_string(scratch) == value);
        }
    }
}

TEST_CASE("json scanner: half of a surrogate pair is refused where the text is read, and passes elsewhere") {
    const std::string texts[] = {
        R"("ab\ud800")",
        R"("ab\udc00")",
        R"("ab\ud800x")",
        R"("ab\ud800\n")",
        R"("ab\ud800\ud800")",
        R"("ab\udc00\ud800")"
    };
    for (const std::string& text : texts) {
        CAPTURE(text);
        CHECK_FALSE(skipped(text).failed());
        std::deque<std::string> chunks;
        Scratch scratch(chunks);
        JsonScanner scanner(text, kDepth);
        CHECK(scanner.read_string(scratch).empty());
        CHECK(scanner.failed());
        CHECK(scanner.offset() == 3);
    }
}

TEST_CASE("json scanner: the bytes of a value are handed out as they stand") {
    const std::string text = R"( { "a" : [ 1.50 , {"b":"\n"} ] , "c" : -0e1 } )";
    std::deque<std::string> chunks;
    Scratch scratch(chunks);
    JsonScanner scanner(text, kDepth);
    REQUIRE(scanner.kind() == JsonKind::object);
    std::string_view key;
    scanner.open();
    REQUIRE(scanner.next_member(scratch, key));
    CHECK(key == "a");
    CHECK(scanner.skip() == R"([ 1.50 , {"b":"\n"} ])");
    REQUIRE(scanner.next_member(scratch, key));
    CHECK(key == "c");
    CHECK(scanner.skip() == "-0e1");
    CHECK_FALSE(scanner.next_member(scratch, key));
    scanner.finish();
    CHECK_FALSE(scanner.failed());
}

TEST_CASE("json scanner: twenty thousand mutated texts are accepted, refused and read as by Boost.JSON") {
    const std::string seeds[] = {
        R"({"model":"m","messages":[{"role":"user","content":"Hi\n\"there\" \u00e9\ud83c\udf4e"}],"n":[1,-2.5e3,true,null]})",
        "{\"k\":[[],{},\"\xE4\xBD\xA0\xC3\xA9\xF0\x9F\x8D\x8E and a longer run of plain "
        "text\",0.5],\"\":false}",
        R"([{"a":{"b":{"c":["d",["e",{"f":"\/\\\b\f\r\t"}]]}}},"\uFFFF",1e10,{"x":"y","z":[]}])",
    };
    const std::string bytes = "{}[]\",:\\/u0159eE+-.tfnabd \n\x01\x80\xC3\xE4\xF0\xED\xFF";
    std::mt19937 random(20261201);
    const auto below = [&random](std::size_t limit) { return random() % limit; };
    std::size_t accepted = 0;
    for (int round = 0; round < 20'000; ++round) {
        std::string text = seeds[below(std::size(seeds))];
        for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
            const std::size_t at = below(text.size());
            switch (below(4)) {
                case 0: text[at] = bytes[below(bytes.size())]; break;
                case 1: text.insert(at, 1, bytes[below(bytes.size())]); break;
                case 2: text.erase(at, 1 + below(3)); break;
                default: text.insert(at, text, below(text.size()), below(12)); break;
            }
            if (text.empty()) {
                text = "0";
            }
        }
        CAPTURE(text);
        std::string seen;
        const JsonScanner scanner = traced(text, seen);
        const std::optional<std::string> expected = reference(text);
        REQUIRE(scanner.failed() == !expected);
        // To pass over a value is to accept it, but for halves of surrogate pairs.
        const bool half = scanner.failed() && std::string_view(scanner.reason()).starts_with("half");
        REQUIRE((half || skipped(text).failed() == scanner.failed()));
        if (expected) {
            ++accepted;
            REQUIRE(seen == *expected);
        }
    }
    // Both sides are seen often enough to mean something.
    CHECK(accepted > 1'000);
    CHECK(accepted < 19'000);
}

}  // namespace warmlane::openai
