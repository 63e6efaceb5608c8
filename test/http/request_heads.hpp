#pragma once

#include "http/deliveries.hpp"

#include "warmlane/http/head_parser.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace warmlane::http::test {

/// How a parser judged a head.
struct Verdict {
    HeadProgress progress = HeadProgress::incomplete;
    unsigned status = 0;

    bool operator==(const Verdict&) const = default;
};

inline doctest::String toString(const Verdict& verdict) {
    const char* const names[] = {"incomplete", "complete", "invalid"};
    const std::string text =
        std::string{names[static_cast<int>(verdict.progress)]} + " " + std::to_string(verdict.status);
    return text.c_str();
}

inline constexpr Verdict kComplete{HeadProgress::complete, 0};
inline constexpr Verdict kIncomplete{HeadProgress::incomplete, 0};
constexpr Verdict refused(unsigned status) {
    return {HeadProgress::invalid, status};
}

/// Parses in every delivery; all must agree.
inline void check_verdict(const std::string& bytes, Verdict expected, HeadLimits limits = {}) {
    for (const auto& reads : deliveries(bytes.size())) {
        RequestHeadParser parser{limits};
        const auto progress =
            parse_in_reads(bytes, reads, [&parser](std::string_view prefix) { return parser.parse(prefix); });
        CAPTURE(reads.size());
        CAPTURE(parser.reason());
        CHECK(Verdict{progress, parser.status()} == expected);
    }
}

/// The head of bytes that must be good.
inline RequestHead parse_whole(RequestHeadParser& parser, std::string_view bytes) {
    CAPTURE(parser.reason());
    REQUIRE(parser.parse(bytes) == HeadProgress::complete);
    return parser.head();
}

/// A head and how it must be judged.
struct Row {
    const char* name;
    std::string bytes;
    Verdict expected;
};

inline void check_rows(std::initializer_list<Row> rows) {
    for (const Row& row : rows) {
        CAPTURE(row.name);
        check_verdict(row.bytes, row.expected);
    }
}

inline std::string get(const std::string& fields) {
    return "GET / HTTP/1.1\r\n" + fields + "\r\n";
}

inline std::string post(const std::string& fields) {
    return "POST /v1/chat/completions HTTP/1.1\r\nHost: t\r\n" + fields + "\r\n";
}

}  // namespace warmlane::http::test
