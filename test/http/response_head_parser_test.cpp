#include "http/deliveries.hpp"

#include "warmlane/http/head_parser.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;

/// Parses in every delivery; all must agree.
void check_progress(const std::string& bytes, HeadProgress expected, HeadLimits limits = {}) {
    for (const auto& reads : test::deliveries(bytes.size())) {
        ResponseHeadParser parser{limits};
        const auto progress = test::parse_in_reads(bytes, reads, [&parser](std::string_view prefix) {
            return parser.parse(prefix, false);
        });
        CAPTURE(reads.size());
        CAPTURE(parser.reason());
        CHECK(progress == expected);
    }
}

std::string ok(const std::string& fields) {
    return "HTTP/1.1 200 OK\r\n" + fields + "\r\n";
}

struct Row {
    const char* name;
    std::string bytes;
    HeadProgress expected;
};

TEST_CASE("response head: what is one and what is not") {
    const auto good = HeadProgress::complete;
    const auto bad = HeadProgress::invalid;
    const Row rows[] = {
        {"plain", ok(""), good},
        {"no reason", "HTTP/1.1 200 \r\n\r\n", good},
        {"no reason and no space", "HTTP/1.1 200\r\n\r\n", good},
        {"HTTP/1.0", "HTTP/1.0 404 Not Found\r\n\r\n", good},
        {"reason with bytes above 127", "HTTP/1.1 200 d\xe9j\xe0 vu\r\n\r\n", good},
        {"lowest status", "HTTP/1.1 100 Continue\r\n\r\n", good},
        {"highest status", "HTTP/1.1 599 X\r\n\r\n", good},
        {"status 099", "HTTP/1.1 099 X\r\n\r\n", bad},
        {"status 000", "HTTP/1.1 000 X\r\n\r\n", bad},
        {"status 600", "HTTP/1.1 600 X\r\n\r\n", bad},
        {"status 999", "HTTP/1.1 999 X\r\n\r\n", bad},
        {"status of two digits", "HTTP/1.1 20 OK\r\n\r\n", bad},
        {"status of four digits", "HTTP/1.1 2000 OK\r\n\r\n", bad},
        {"status that is none", "HTTP/1.1 2x0 OK\r\n\r\n", bad},
        {"two spaces", "HTTP/1.1  200 OK\r\n\r\n", bad},
        {"tab", "HTTP/1.1\t200 OK\r\n\r\n", bad},
        {"HTTP/2", "HTTP/2 200\r\n\r\n", bad},
        {"HTTP/1.2", "HTTP/1.2 200 OK\r\n\r\n", bad},
        {"other protocol", "SSH-2.0-x\r\n", bad},
        {"a page without head", "<html><body>Oops</body></html>\r\n", bad},
        {"CRLF before", "\r\nHTTP/1.1 200 OK\r\n\r\n", bad},
        {"LF alone", "HTTP/1.1 200 OK\nA: b\n\n", bad},
        {"folded", ok("A: b\r\n c\r\n"), bad},
        {"space before a colon", ok("A : b\r\n"), bad},
        {"NUL in a value", ok("A: b\0\r\n"s), bad},
        {"length and chunked", ok("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), bad},
        {"chunked and length", ok("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), bad},
        {"two lengths", ok("Content-Length: 5\r\nContent-Length: 5\r\n"), bad},
        {"list of lengths", ok("Content-Length: 5, 5\r\n"), bad},
        {"negative length", ok("Content-Length: -1\r\n"), bad},
        {"other coding", ok("Transfer-Encoding: gzip, chunked\r\n"), bad},
        {"identity", ok("Transfer-Encoding: identity\r\n"), bad},
        {"chunked in HTTP/1.0", "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", bad},
        {"half a head", "HTTP/1.1 200 OK\r\nA: b\r\n", HeadProgress::incomplete},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        check_progress(row.bytes, row.expected);
    }
}

TEST_CASE("response head: limits are exact") {
    const std::string head = ok("A: b\r\n");
    check_progress(head, HeadProgress::complete, {.bytes = head.size()});
    check_progress(head, HeadProgress::invalid, {.bytes = head.size() - 1});
    check_progress("HTTP/1.1 200 " + std::string(16'384, 'x'), HeadProgress::invalid, {.bytes = 16'384});
    check_progress(ok("A: b\r\nC: d\r\n"), HeadProgress::complete, {.fields = 2});
    check_progress(ok("A: b\r\nC: d\r\nE: f\r\n"), HeadProgress::invalid, {.fields = 2});
}

TEST_CASE("response head: where the body ends") {
    struct BodyRow {
        const char* name;
        std::string bytes;
        bool to_head;
        BodyFraming body;
    };
    const BodyFraming none{};
    const BodyRow rows[] = {
        {"length", ok("Content-Length: 5\r\n"), false, {BodyKind::length, 5}},
        {"chunked", ok("Transfer-Encoding: Chunked\r\n"), false, {BodyKind::chunked, 0}},
        {"neither", ok(""), false, {BodyKind::until_close, 0}},
        {"HTTP/1.0 with a length",
         "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\n",
         false,
         {BodyKind::length, 5}},
        {"HTTP/1.0 without", "HTTP/1.0 200 OK\r\n\r\n", false, {BodyKind::until_close, 0}},
        {"HEAD with a length", ok("Content-Length: 5\r\n"), true, none},
        {"HEAD, chunked", ok("Transfer-Encoding: chunked\r\n"), true, none},
        {"HEAD with neither", ok(""), true, none},
        {"204 with a length", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", false, none},
        {"304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", false, none},
        {"100", "HTTP/1.1 100 Continue\r\n\r\n", false, none},
        {"103, chunked", "HTTP/1.1 103 Early Hints\r\nTransfer-Encoding: chunked\r\n\r\n", false, none},
        {"101", "HTTP/1.1 101 Switching Protocols\r\n\r\n", false, none},
    };
    for (const BodyRow& row : rows) {
        CAPTURE(row.name);
        ResponseHeadParser parser;
        REQUIRE(parser.parse(row.bytes, row.to_head) == HeadProgress::complete);
        CHECK(parser.head().body == row.body);
        CHECK(parser.size() == row.bytes.size());
    }
}

TEST_CASE("response head: whether the connection is kept") {
    struct KeepRow {
        const char* name;
        std::string bytes;
        bool keep_alive;
    };
    const std::string length = "Content-Length: 0\r\n";
    const KeepRow rows[] = {
        {"HTTP/1.1", ok(length), true},
        {"close", ok(length + "connection: Close\r\n"), false},
        {"close wins over keep-alive", ok(length + "Connection: close\r\nConnection: keep-alive\r\n"), false},
        {"body until the close", ok(""), false},
        {"HTTP/1.0", "HTTP/1.0 200 OK\r\n" + length + "\r\n", false},
        {"HTTP/1.0 that offers it", "HTTP/1.0 200 OK\r\n" + length + "Connection: Keep-Alive\r\n\r\n", true},
        {"HTTP/1.0 that offers it, until the close",
         "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n",
         false},
    };
    for (const KeepRow& row : rows) {
        CAPTURE(row.name);
        ResponseHeadParser parser;
        REQUIRE(parser.parse(row.bytes, false) == HeadProgress::complete);
        CHECK(parser.head().keep_alive == row.keep_alive);
    }
    std::string options;
    for (int i = 0; i < 33; ++i) {
        options += "a,";
    }
    check_progress(ok("Connection: " + options + "\r\n"), HeadProgress::invalid);
}

TEST_CASE("response head: an interim head, then the final one") {
    const std::string bytes =
        "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.0 503 Busy now\r\nRetry-After: 1\r\n\r\nrest";
    ResponseHeadParser parser;
    REQUIRE(parser.parse(bytes, false) == HeadProgress::complete);
    CHECK(parser.head().status == 103);
    const std::size_t interim = parser.size();
    parser.reset();
    REQUIRE(parser.parse(std::string_view{bytes}.substr(interim), false) == HeadProgress::complete);
    CHECK(parser.head().status == 503);
    CHECK(parser.head().reason == "Busy now");
    CHECK(parser.head().minor_version == 0);
    REQUIRE(parser.head().fields.size() == 1);
    CHECK(parser.head().value_of("retry-after") == "1");
    CHECK(bytes.substr(interim + parser.size()) == "rest");
}

TEST_CASE("response head: a reason that is not there is empty") {
    ResponseHeadParser parser;
    REQUIRE(parser.parse("HTTP/1.1 200\r\n\r\n", false) == HeadProgress::complete);
    CHECK(parser.head().reason.empty());
    CHECK(parser.head().status == 200);
}

}  // namespace
}  // namespace warmlane::http
