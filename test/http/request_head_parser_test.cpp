#include "http/deliveries.hpp"

#include "warmlane/http/head_parser.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;

struct Verdict {
    HeadProgress progress = HeadProgress::incomplete;
    unsigned status = 0;

    bool operator==(const Verdict&) const = default;
};

std::string to_string(const Verdict& verdict) {
    const char* const names[] = {"incomplete", "complete", "invalid"};
    return names[static_cast<int>(verdict.progress)] + " "s + std::to_string(verdict.status);
}

doctest::String toString(const Verdict& verdict) {
    return to_string(verdict).c_str();
}

constexpr Verdict kComplete{HeadProgress::complete, 0};
constexpr Verdict kIncomplete{HeadProgress::incomplete, 0};
constexpr Verdict refused(unsigned status) {
    return {HeadProgress::invalid, status};
}

/// Parses in every delivery, and from a buffer that moves; all must agree.
void check_verdict(const std::string& bytes, Verdict expected, HeadLimits limits = {}) {
    for (const auto& reads : test::deliveries(bytes.size())) {
        RequestHeadParser parser{limits};
        const auto progress = test::parse_in_reads(bytes, reads, [&parser](std::string_view prefix) {
            return parser.parse(prefix);
        });
        CAPTURE(reads.size());
        CAPTURE(parser.reason());
        CHECK(Verdict{progress, parser.status()} == expected);
    }
}

RequestHead parse_whole(RequestHeadParser& parser, std::string_view bytes) {
    CAPTURE(parser.reason());
    REQUIRE(parser.parse(bytes) == HeadProgress::complete);
    return parser.head();
}

struct Row {
    const char* name;
    std::string bytes;
    Verdict expected;
};

void check_rows(std::initializer_list<Row> rows) {
    for (const Row& row : rows) {
        CAPTURE(row.name);
        check_verdict(row.bytes, row.expected);
    }
}

std::string get(const std::string& fields) {
    return "GET / HTTP/1.1\r\n" + fields + "\r\n";
}

std::string post(const std::string& fields) {
    return "POST /v1/chat/completions HTTP/1.1\r\nHost: t\r\n" + fields + "\r\n";
}

TEST_CASE("request head: the start line") {
    const std::string host = "\r\nHost: t\r\n\r\n";
    check_rows({
        {"plain", "GET / HTTP/1.1" + host, kComplete},
        {"no parts", "GET\r\n\r\n", refused(400)},
        {"HTTP/0.9", "GET /\r\n", refused(400)},
        {"two spaces", "GET  / HTTP/1.1" + host, refused(400)},
        {"tab between the parts", "GET\t/ HTTP/1.1" + host, refused(400)},
        {"space in the target", "GET /a b HTTP/1.1" + host, refused(400)},
        {"space behind the version", "GET / HTTP/1.1 " + host, refused(400)},
        {"space before the method", " GET / HTTP/1.1" + host, refused(400)},
        {"no target", "GET HTTP/1.1" + host, refused(400)},
        {"lower-case protocol", "GET / http/1.1" + host, refused(400)},
        {"version of two digits", "GET / HTTP/1.10" + host, refused(400)},
        {"version without a dot", "GET / HTTP/11" + host, refused(400)},
        {"HTTP/1.0", "GET / HTTP/1.0" + host, kComplete},
        {"HTTP/1.2", "GET / HTTP/1.2" + host, refused(505)},
        {"HTTP/2.0", "GET / HTTP/2.0" + host, refused(505)},
        {"HTTP/9.9", "GET / HTTP/9.9" + host, refused(505)},
        {"preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", refused(505)},
        {"NUL and other bytes", "\x00\x01\x02\r\n\r\n"s, refused(400)},
        {"a TLS hello, at once", "\x16\x03\x01\x02\x00\x01\x00"s, refused(400)},
        {"LF alone, at once", "GET / HTTP/1.1\n", refused(400)},
        {"CR alone", "GET / HTTP/1.1\rHost: t\r\n\r\n", refused(400)},
        {"one CRLF before", "\r\nGET / HTTP/1.1" + host, kComplete},
        {"two CRLF before", "\r\n\r\nGET / HTTP/1.1" + host, refused(400)},
        {"nothing yet", "", kIncomplete},
        {"half a line", "GET / HT", kIncomplete},
        {"CR without LF yet", "GET / HTTP/1.1\r", kIncomplete},
        {"no empty line yet", "GET / HTTP/1.1\r\nHost: t\r\n", kIncomplete},
    });
}

TEST_CASE("request head: methods") {
    const std::string rest = " /v1/models HTTP/1.1\r\nHost: t\r\n\r\n";
    for (const char* method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
        CAPTURE(method);
        check_verdict(method + rest, kComplete);
    }
    check_rows({
        {"CONNECT", "CONNECT t:443 HTTP/1.1\r\nHost: t\r\n\r\n", refused(405)},
        {"TRACE", "TRACE" + rest, refused(405)},
        {"unknown", "FOO" + rest, refused(501)},
        {"lower case is another method", "get" + rest, refused(501)},
        {"32 bytes are looked at", std::string(32, 'A') + rest, refused(501)},
        {"33 bytes are not", std::string(33, 'A') + rest, refused(400)},
        {"64 KiB", std::string(65'536, 'A'), refused(400)},
        {"no token", "G(T" + rest, refused(400)},
    });
}

TEST_CASE("request head: targets") {
    const auto head = [](const std::string& target) {
        return "GET " + target + " HTTP/1.1\r\nHost: t\r\n\r\n";
    };
    for (const char* good : {
             "/",
             "/v1/models",
             "/a%20b",
             "/a/.../b",
             "/.well-known/x",
             "/a//b",
             "/a?b=/../c",
             "/a?b=%0a&c[]=d",
             "/~a;b=c,d:e@f!$&'()*+",
             "/a%zz",
             "http://t/v1/models",
             "HTTPS://T/",
             "http://t",
         }) {
        CAPTURE(good);
        check_verdict(head(good), kComplete);
    }
    for (const char* bad : {
             "*",
             "a",
             "//../x/..",
             "/a/../b",
             "/a/..",
             "/..",
             "/a/%2e%2E/b",
             "/a/.%2e",
             "/a%2f..%2fb",
             "/a\\b",
             "/a%5cb",
             "/a%00",
             "/a%0d%0ab",
             "/a%7f",
             "/a#b",
             "/a\"b",
             "/a<b",
             "/a>b",
             "/a^b",
             "/a`b",
             "/a{b}",
             "/a|b",
             "/a\xff",
             "/caf\xc3\xa9",
             "http://other/",
             "http://t:80/",
             "http:///x",
             "http://u@t/",
             "http://t?a=b",
             "ftp://t/",
             "t:80",
         }) {
        CAPTURE(bad);
        check_verdict(head(bad), refused(400));
    }
    check_verdict("OPTIONS * HTTP/1.1\r\nHost: t\r\n\r\n", kComplete);
    check_verdict("OPTIONS http://t HTTP/1.1\r\nHost: t\r\n\r\n", kComplete);
    check_verdict("POST * HTTP/1.1\r\nHost: t\r\n\r\n", refused(400));
}

TEST_CASE("request head: Host") {
    for (const char* good : {
             "t",
             "a.b-c_d~e",
             "10.0.0.1:8000",
             "t:",
             "t:0",
             "t:65535",
             "[::1]",
             "[fd00::2]:8000",
             "[::ffff:10.0.0.1]",
         }) {
        CAPTURE(good);
        check_verdict(get("Host: "s + good + "\r\n"), kComplete);
    }
    for (const char* bad : {
             "",        "a,b",      "a/b",       "a@b",   "a b",    "a/b@c d", "a:65536",
             "a:99999", "a:123456", "a:b",       "a:1:2", ":80",    "a%41",    "a\xe9",
             "[::1",    "[]",       "[1.2.3.4]", "[::g]", "[::1]x", "[::1]:x", "::1",
         }) {
        CAPTURE(bad);
        check_verdict(get("Host: "s + bad + "\r\n"), refused(400));
    }
    check_rows({
        {"none", get(""), refused(400)},
        {"none in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", kComplete},
        {"two", get("Host: t\r\nHost: t\r\n"), refused(400)},
        {"two in different case", get("host: t\r\nHOST: t\r\n"), refused(400)},
        {"name of 256 bytes", get("Host: " + std::string(256, 'a') + "\r\n"), refused(400)},
    });
}

TEST_CASE("request head: field lines") {
    check_rows({
        {"no value", get("Host: t\r\nX:\r\n"), kComplete},
        {"tab and bytes above 127 in a value", get("Host: t\r\nX: a\tb\xff\r\n"), kComplete},
        {"every token character", get("Host: t\r\nA!#$%&'*+-.^_`|~9: b\r\n"), kComplete},
        {"LF alone ends a line", "GET / HTTP/1.1\r\nHost: t\nX: y\r\n\r\n", refused(400)},
        {"LF alone ends the head", "GET / HTTP/1.1\r\nHost: t\r\n\n", refused(400)},
        {"CR CR LF", "GET / HTTP/1.1\r\nHost: t\r\r\n\r\n", refused(400)},
        {"space before the first name", get(" Host: t\r\n"), refused(400)},
        {"folded with a space", get("Host: t\r\nX: a\r\n b\r\n"), refused(400)},
        {"folded with a tab", get("Host: t\r\nX: y\r\n\tTransfer-Encoding: chunked\r\n"), refused(400)},
        {"space before the colon", get("Host : t\r\n"), refused(400)},
        {"no colon", get("Host: t\r\nX\r\n"), refused(400)},
        {"no name", get("Host: t\r\n: a\r\n"), refused(400)},
        {"NUL in a name", get("Host: t\r\nX\0: a\r\n"s), refused(400)},
        {"NUL in a value", get("Host: t\r\nX: a\0b\r\n"s), refused(400)},
        {"DEL in a value", get("Host: t\r\nX: a\x7f\r\n"), refused(400)},
        {"vertical tab in a value", get("Host: t\r\nX: a\x0b\r\n"), refused(400)},
        {"byte above 127 in a name", get("Host: t\r\nX\x85: a\r\n"), refused(400)},
        {"a wrong line is refused before the end of the head", "GET / HTTP/1.1\r\nX y\r\n", refused(400)},
        {"a control character is refused before the end of its line",
         "GET / HTTP/1.1\r\nX: \x01",
         refused(400)},
    });
}

TEST_CASE("request head: framing") {
    check_rows({
        {"length", post("Content-Length: 5\r\n"), kComplete},
        {"leading zeros", post("Content-Length: 005\r\n"), kComplete},
        {"largest", post("Content-Length: 18446744073709551615\r\n"), kComplete},
        {"too large", post("Content-Length: 18446744073709551616\r\n"), refused(400)},
        {"plus", post("Content-Length: +5\r\n"), refused(400)},
        {"minus", post("Content-Length: -5\r\n"), refused(400)},
        {"hex", post("Content-Length: 0x5\r\n"), refused(400)},
        {"underscore", post("Content-Length: 1_0\r\n"), refused(400)},
        {"two numbers", post("Content-Length: 3 3\r\n"), refused(400)},
        {"list", post("Content-Length: 3, 3\r\n"), refused(400)},
        {"empty", post("Content-Length: \r\n"), refused(400)},
        {"twice the same", post("Content-Length: 5\r\nContent-Length: 5\r\n"), refused(400)},
        {"twice different", post("Content-Length: 5\r\ncontent-length: 6\r\n"), refused(400)},
        {"chunked", post("Transfer-Encoding: chunked\r\n"), kComplete},
        {"chunked in capitals", post("TRANSFER-ENCODING:\tCHUNKED \r\n"), kComplete},
        {"length, then chunked", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n"), refused(400)},
        {"chunked, then length", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n"), refused(400)},
        {"gzip, then length", post("Transfer-Encoding: gzip\r\nContent-Length: 3\r\n"), refused(400)},
        {"chunked twice", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), refused(400)},
        {"space before the colon", post("Transfer-Encoding : chunked\r\n"), refused(400)},
        {"folded", post("Transfer-Encoding:\r\n chunked\r\n"), refused(400)},
        {"chunked in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", refused(400)},
    });
    for (const std::string& coding : {
             "xchunked"s,
             "chunked, identity"s,
             "identity"s,
             "\"chunked\""s,
             "chunked, chunked"s,
             "chunked;q=1"s,
             ",chunked"s,
             "chunked,"s,
             "gzip, chunked"s,
             ""s,
             "\x0b"s + "chunked",
             "\x0c"s + "chunked",
             "chunked\0"s,
             "chunked\xff"s,
             "ch\xc2\xad"s + "unked",
         }) {
        CAPTURE(coding);
        check_verdict(post("Transfer-Encoding: " + coding + "\r\n"), refused(400));
    }
}

TEST_CASE("request head: Connection may name no field that is not its sender's to drop") {
    for (const char* name : {
             "Host",
             "content-length",
             "Transfer-Encoding",
             "authorization",
             "X-Forwarded-For",
             "x-forwarded-anything",
             "close, Host",
         }) {
        CAPTURE(name);
        check_verdict(get("Host: t\r\nConnection: "s + name + "\r\n"), refused(400));
    }
    std::string options = "a";
    for (int i = 1; i < 32; ++i) {
        options += ",a";
    }
    check_verdict(get("Host: t\r\nConnection: " + options + "\r\n"), kComplete);
    check_verdict(get("Host: t\r\nConnection: " + options + "\r\nConnection: b\r\n"), refused(400));
}

TEST_CASE("request head: whether the connection is kept") {
    struct KeepRow {
        const char* name;
        std::string bytes;
        bool keep_alive;
    };
    const KeepRow rows[] = {
        {"HTTP/1.1", get("Host: t\r\n"), true},
        {"close", get("Host: t\r\nConnection: close\r\n"), false},
        {"CLOSE among others", get("Host: t\r\nConnection: keep-alive, , CLOSE\r\n"), false},
        {"close on the first of two lines", get("Host: t\r\nConnection: close\r\nConnection: x\r\n"), false},
        {"close as part of a word", get("Host: t\r\nConnection: closed\r\n"), true},
        {"HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", false},
        {"HTTP/1.0 that asks for it", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", false},
    };
    for (const KeepRow& row : rows) {
        CAPTURE(row.name);
        RequestHeadParser parser;
        CHECK(parse_whole(parser, row.bytes).keep_alive == row.keep_alive);
    }
}

TEST_CASE("request head: Expect") {
    check_verdict(post("Expect: banana\r\nContent-Length: 1\r\n"), refused(417));
    check_verdict(post("Expect:\r\nContent-Length: 1\r\n"), refused(417));
    struct ExpectRow {
        const char* name;
        std::string bytes;
        bool expects_continue;
    };
    const ExpectRow rows[] = {
        {"with a length", post("Expect: 100-Continue\r\nContent-Length: 1\r\n"), true},
        {"chunked", post("Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n"), true},
        {"without a body", post("Expect: 100-continue\r\n"), false},
        {"with an empty body", post("Expect: 100-continue\r\nContent-Length: 0\r\n"), false},
        {"HTTP/1.0", "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n", false},
        {"not asked", post("Content-Length: 1\r\n"), false},
    };
    for (const ExpectRow& row : rows) {
        CAPTURE(row.name);
        RequestHeadParser parser;
        CHECK(parse_whole(parser, row.bytes).expects_continue == row.expects_continue);
    }
}

TEST_CASE("request head: limits are exact") {
    const auto target = [](std::size_t bytes) { return "/" + std::string(bytes - 1, 'a'); };
    const auto with_target = [&target](std::size_t bytes) {
        return "GET " + target(bytes) + " HTTP/1.1\r\nHost: t\r\n\r\n";
    };
    check_verdict(with_target(8'192), kComplete);
    check_verdict(with_target(8'193), refused(414));
    check_verdict(with_target(40'000), refused(414));
    check_verdict("GET " + target(20'000), refused(414));

    const auto with_fields = [](int count) {
        std::string fields = "Host: t\r\n";
        for (int i = 1; i < count; ++i) {
            fields += "X: y\r\n";
        }
        return get(fields);
    };
    check_verdict(with_fields(100), kComplete);
    check_verdict(with_fields(101), refused(431));
    check_verdict(with_fields(5'000), refused(431));

    const auto of_size = [](std::size_t bytes) {
        const std::string empty = get("Host: t\r\nX: \r\n");
        return get("Host: t\r\nX: " + std::string(bytes - empty.size(), 'a') + "\r\n");
    };
    REQUIRE(of_size(1'000).size() == 1'000);
    const HeadLimits limits{.bytes = 1'000};
    check_verdict(of_size(1'000), kComplete, limits);
    check_verdict("\r\n" + of_size(1'000), kComplete, limits);
    check_verdict(of_size(1'001), refused(431), limits);
    check_verdict(of_size(1'001).substr(0, 1'000), refused(431), limits);
    check_verdict(of_size(1'000).substr(0, 999), kIncomplete, limits);
    check_verdict(of_size(32 * 1'024), kComplete);
    check_verdict(of_size(32 * 1'024 + 1), refused(431));
    check_verdict(get("Host: t\r\n" + std::string(40'000, 'N') + ": v\r\n"), refused(431));
}

TEST_CASE("request head: what a good head holds") {
    const std::string bytes =
        "\r\nPOST http://t:80/v1/chat/completions?a=b HTTP/1.1\r\nhOsT: t:80\r\nX-A: \t1 2\t \r\nx-a:3\r\n"
        "Content-Length: 00012\r\n\r\nhello, world";
    for (const auto& reads : test::deliveries(bytes.size())) {
        RequestHeadParser parser;
        REQUIRE(test::parse_in_reads(bytes, reads, [&](std::string_view prefix) {
                    return parser.parse(prefix);
                }) == HeadProgress::complete);
        const RequestHead& head = parser.head();
        CHECK(head.method == "POST");
        CHECK(head.target == "/v1/chat/completions?a=b");
        CHECK(head.path() == "/v1/chat/completions");
        CHECK(head.minor_version == 1);
        REQUIRE(head.fields.size() == 4);
        CHECK(head.fields[0].name == "hOsT");
        CHECK(head.value_of("HOST") == "t:80");
        CHECK(head.value_of("X-a") == "1 2");
        CHECK(head.fields[2].value == "3");
        CHECK(head.value_of("absent").empty());
        CHECK(head.body == BodyFraming{BodyKind::length, 12});
        CHECK(bytes.substr(parser.size()) == "hello, world");
    }
}

TEST_CASE("request head: targets of URLs without a path") {
    RequestHeadParser parser;
    CHECK(parse_whole(parser, "GET http://t HTTP/1.1\r\nHost: t\r\n\r\n").target == "/");
    parser.reset();
    CHECK(parse_whole(parser, "OPTIONS http://t HTTP/1.1\r\nHost: t\r\n\r\n").target == "*");
}

TEST_CASE("request head: framings of good heads") {
    RequestHeadParser parser;
    CHECK(parse_whole(parser, post("")).body == BodyFraming{BodyKind::none, 0});
    parser.reset();
    CHECK(parse_whole(parser, post("Content-Length: 0\r\n")).body == BodyFraming{BodyKind::length, 0});
    parser.reset();
    CHECK(
        parse_whole(parser, post("Transfer-Encoding: Chunked\r\n")).body == BodyFraming{BodyKind::chunked, 0}
    );
    parser.reset();
    CHECK(
        parse_whole(parser, post("Content-Length: 18446744073709551615\r\n")).body.length ==
        std::numeric_limits<std::uint64_t>::max()
    );
}

TEST_CASE("request head: a buffer may move between reads") {
    const std::string bytes = post("X-A: b\r\nContent-Length: 3\r\n");
    RequestHeadParser parser;
    std::string buffer;
    for (std::size_t i = 0; i + 1 < bytes.size(); ++i) {
        std::string moved = bytes.substr(0, i + 1);
        REQUIRE(parser.parse(moved) == HeadProgress::incomplete);
        buffer.swap(moved);
    }
    REQUIRE(parser.parse(bytes) == HeadProgress::complete);
    CHECK(parser.head().value_of("x-a") == "b");
    CHECK(parser.head().fields.size() == 3);
    CHECK(parser.head().body == BodyFraming{BodyKind::length, 3});
}

TEST_CASE("request head: one parser reads one head after the other") {
    const std::string first = post("Connection: close\r\nExpect: 100-continue\r\nContent-Length: 9\r\n");
    const std::string bytes = first + get("Host: u\r\n");
    RequestHeadParser parser;
    REQUIRE(parser.parse(bytes) == HeadProgress::complete);
    REQUIRE(parser.size() == first.size());
    CHECK(parser.parse(bytes) == HeadProgress::complete);
    CHECK(parser.head().fields.size() == 4);

    parser.reset();
    REQUIRE(parser.parse(std::string_view{bytes}.substr(first.size())) == HeadProgress::complete);
    CHECK(parser.head().method == "GET");
    CHECK(parser.head().value_of("host") == "u");
    CHECK(parser.head().fields.size() == 1);
    CHECK(parser.head().body == BodyFraming{});
    CHECK(parser.head().keep_alive);
    CHECK_FALSE(parser.head().expects_continue);

    parser.reset();
    REQUIRE(parser.parse("BAD\r\n") == HeadProgress::invalid);
    parser.reset();
    CHECK(parser.status() == 0);
    CHECK(parser.parse(first) == HeadProgress::complete);
}

}  // namespace
}  // namespace warmlane::http
