#include "warmlane/observability/log.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::observability {

TEST_CASE("escaped: what could break a line or a quote is written as an escape") {
    struct Row {
        const char* name;
        std::string text;
        std::string expected;
    };
    const Row rows[] = {
        {"plain", "meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-8B"},
        {"empty", "", ""},
        {"quote and backslash", R"(a"b\c)", R"(a\"b\\c)"},
        {"line ends", "a\r\nb", R"(a\x0d\x0ab)"},
        {"zero byte", std::string("a\0b", 3), R"(a\x00b)"},
        {"terminal escape", "\x1b[2J", R"(\x1b[2J)"},
        {"delete", "\x7f", R"(\x7f)"},
        {"UTF-8 of two, three and four bytes", "é€😀", "é€😀"},
        {"control character of two bytes", "\xc2\x9b", R"(\xc2\x9b)"},
        {"lone continuation byte", "\x80", R"(\x80)"},
        {"overlong form", "\xc0\xaf", R"(\xc0\xaf)"},
        {"overlong form of three bytes", "\xe0\x80\xaf", R"(\xe0\x80\xaf)"},
        {"surrogate", "\xed\xa0\x80", R"(\xed\xa0\x80)"},
        {"beyond Unicode", "\xf4\x90\x80\x80", R"(\xf4\x90\x80\x80)"},
        {"cut sequence", "a\xe2\x82", R"(a\xe2\x82)"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(escaped(row.text) == row.expected);
    }
}

TEST_CASE("escaped: long text is cut, and shows that it was") {
    CHECK(escaped("abcdef", 6) == "abcdef");
    CHECK(escaped("abcdefg", 6) == "abcdef...");
    CHECK(escaped(std::string(1'000, 'x')) == std::string(256, 'x') + "...");
    // A character that is cut in two is no longer one.
    CHECK(escaped("a€", 2) == "a\\xe2...");
}

}  // namespace warmlane::observability
