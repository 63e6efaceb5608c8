#include "warmlane/http/header_rules.hpp"

#include "http/http_date.hpp"

#include "warmlane/http/head_parser.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;

/// The head that is forwarded for a client's head.
std::string forward(
    const std::string& client,
    std::uint64_t body_bytes = 0,
    std::string_view base_path = "",
    std::string_view scheme = "http"
) {
    RequestHeadParser parser;
    const HeadProgress progress = parser.parse(client);
    CAPTURE(parser.reason());
    REQUIRE(progress == HeadProgress::complete);
    std::string out;
    write_forwarded_request(
        out,
        parser.head(),
        {
            .authority = "10.0.0.1:8000",
            .base_path = base_path,
            .request_id = "id-1",
            .client_address = "192.0.2.7",
            .client_scheme = scheme,
            .body_bytes = body_bytes,
        }
    );
    return out;
}

/// What stands between the client's fields and the framing of each forwarded request.
std::string way(const std::string& host, const std::string& protocol = "1.1") {
    return "Via: " + protocol + " " + std::string{via_name()} +
           "\r\nX-Forwarded-For: 192.0.2.7\r\nX-Forwarded-Proto: http\r\n" +
           (host.empty() ? "" : "X-Forwarded-Host: " + host + "\r\n") + "X-Request-Id: id-1\r\n";
}

const std::string kPost = "POST /v1/completions HTTP/1.1\r\nHost: t\r\n";
const std::string kForwardedPost = "POST /v1/completions HTTP/1.1\r\nHost: 10.0.0.1:8000\r\n";

TEST_CASE("forwarded request: end-to-end fields keep their order and their text") {
    const std::string fields =
        "Authorization: Bearer a b\r\nX-A: 1\r\nAccept-Encoding: gzip, br\r\nx-a: 2\r\nContent-Type: "
        "application/json\r\n"
        "Content-Encoding: gzip\r\nX-Session-Id: s\r\nUser-Agent: caf\xe9\r\nCookie: a=b; "
        "c=d\r\nMax-Forwards: 3\r\n";
    CHECK(
        forward(kPost + "Content-Length: 5\r\n" + fields + "\r\n", 5) ==
        kForwardedPost + fields + way("t") + "Content-Length: 5\r\n\r\n"
    );
}

TEST_CASE("forwarded request: fields that go no further") {
    for (const char* field : {
             "Connection: keep-alive",
             "Keep-Alive: timeout=5",
             "Proxy-Connection: close",
             "TE: trailers",
             "Trailer: X",
             "Upgrade: websocket",
             "HTTP2-Settings: AAMAAABkAAQ",
             "Proxy-Authenticate: Basic",
             "Proxy-Authorization: Basic x",
             "Expect: 100-continue",
             "Forwarded: for=1.2.3.4",
             "X-Forwarded-For: 1.2.3.4",
             "X-FORWARDED-PROTO: https",
             "X-Forwarded-Host: evil",
             "X-Forwarded-Prefix: /a",
             "X-Real-IP: 1.2.3.4",
             "X-Request-Id: theirs",
             "x-gateway-destination-endpoint: 10.0.0.9:80",
             "x-gateway-destination-endpoint-subset: a",
             "X-Prefiller-Host-Port: 10.0.0.9:80",
             "x-encoder-hosts-ports: 10.0.0.9:80",
             "x-data-parallel-host-port: 10.0.0.9:80",
             "x-kv-cache-source-host-port: 10.0.0.9:80",
             "X-Warmlane-Endpoint: a",
             "Content_Length: 7",
             "x_session_id: a",
         }) {
        CAPTURE(field);
        CHECK(
            forward(kPost + field + "\r\nX-Kept: a\r\n\r\n") ==
            kForwardedPost + "X-Kept: a\r\n" + way("t") + "Content-Length: 0\r\n\r\n"
        );
    }
}

TEST_CASE("forwarded request: fields that Connection names go no further") {
    const std::string head = kPost + "X-One: 1\r\nConnection: x-one, close\r\nX-Two: 2\r\nX-Kept: a\r\n" +
                             "Connection: , X-TWO ,x-none\r\nX-One: 3\r\n\r\n";
    CHECK(forward(head) == kForwardedPost + "X-Kept: a\r\n" + way("t") + "Content-Length: 0\r\n\r\n");
}

TEST_CASE("forwarded request: one framing, the body's length") {
    struct Row {
        const char* name;
        std::string head;
        std::uint64_t body_bytes;
        std::string framing;
    };
    const Row rows[] = {
        {"chunked becomes a length",
         "POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n",
         12,
         "Content-Length: 12\r\n"},
        {"the length is printed anew",
         "POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 0012\r\n\r\n",
         12,
         "Content-Length: 12\r\n"},
        {"POST without a body", "POST / HTTP/1.1\r\nHost: t\r\n\r\n", 0, "Content-Length: 0\r\n"},
        {"PATCH without a body", "PATCH / HTTP/1.1\r\nHost: t\r\n\r\n", 0, "Content-Length: 0\r\n"},
        {"GET without a body", "GET / HTTP/1.1\r\nHost: t\r\n\r\n", 0, ""},
        {"GET with an empty body",
         "GET / HTTP/1.1\r\nHost: t\r\nContent-Length: 0\r\n\r\n",
         0,
         "Content-Length: 0\r\n"},
        {"GET with a body",
         "GET / HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\n",
         3,
         "Content-Length: 3\r\n"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const std::string method = row.head.substr(0, row.head.find(' '));
        CHECK(
            forward(row.head, row.body_bytes) ==
            method + " / HTTP/1.1\r\nHost: 10.0.0.1:8000\r\n" + way("t") + row.framing + "\r\n"
        );
    }
}

TEST_CASE("forwarded request: targets") {
    CHECK(forward("GET /a%20b/?q=%0a HTTP/1.1\r\nHost: t\r\n\r\n", 0, "/base")
              .starts_with("GET /base/a%20b/?q=%0a HTTP/1.1\r\n"));
    CHECK(forward("GET http://t/a HTTP/1.1\r\nHost: t\r\n\r\n").starts_with("GET /a HTTP/1.1\r\n"));
}

TEST_CASE("forwarded request: of HTTP/1.0 without a Host, and behind TLS") {
    CHECK(
        forward("GET / HTTP/1.0\r\n\r\n") ==
        "GET / HTTP/1.1\r\nHost: 10.0.0.1:8000\r\n" + way("", "1.0") + "\r\n"
    );
    CHECK(forward(kPost + "\r\n", 0, "", "https").find("X-Forwarded-Proto: https\r\n") != std::string::npos);
}

TEST_CASE("forwarded request: Via is appended behind the others") {
    CHECK(
        forward(kPost + "Via: 1.0 a, 1.1 b (c)\r\n\r\n") ==
        kForwardedPost + "Via: 1.0 a, 1.1 b (c)\r\n" + way("t") + "Content-Length: 0\r\n\r\n"
    );
}

TEST_CASE("via: the name is one token, the same throughout") {
    CHECK(via_name().starts_with("warmlane-"));
    CHECK(via_name().size() == 17);
    CHECK(via_name().find_first_not_of("0123456789abcdef", 9) == std::string_view::npos);
    CHECK(via_name().data() == via_name().data());
}

TEST_CASE("via: a request that was here before runs in a circle") {
    const std::string name{via_name()};
    std::string upper = name;
    std::ranges::transform(upper, upper.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? char(c - 32) : c;
    });
    struct Row {
        const char* name;
        std::string fields;
        bool looping;
    };
    const Row rows[] = {
        {"no Via", "", false},
        {"others", "Via: 1.1 nginx, 1.0 b (" + name + ")\r\n", false},
        {"another warmlane", "Via: 1.1 warmlane-0\r\n", false},
        {"a longer name", "Via: 1.1 " + name + "0\r\n", false},
        {"as protocol", "Via: " + name + " x\r\n", false},
        {"only a name", "Via: " + name + "\r\n", false},
        {"alone", "Via: 1.1 " + name + "\r\n", true},
        {"in capitals", "Via: 1.1 " + upper + "\r\n", true},
        {"among others", "Via: 1.1 a,1.0\t" + name + " (x),1.1 b\r\n", true},
        {"on a second line", "Via: 1.1 a\r\nvia: HTTP/1.1 " + name + "\r\n", true},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        RequestHeadParser parser;
        const std::string head = "GET / HTTP/1.1\r\nHost: t\r\n" + row.fields + "\r\n";
        REQUIRE(parser.parse(head) == HeadProgress::complete);
        CHECK(is_looping(parser.head()) == row.looping);
    }
}

/// The fields that go on of an endpoint's answer.
std::string pass_on(const std::string& answer, bool to_head_request = false) {
    ResponseHeadParser parser;
    REQUIRE(parser.parse(answer, to_head_request) == HeadProgress::complete);
    std::string out;
    HeadBuilder head{out};
    add_forwarded_fields(head, parser.head());
    return out;
}

const std::string kDate = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n";

std::string via_line() {
    return "Via: 1.1 " + std::string{via_name()} + "\r\n";
}

TEST_CASE("answer: end-to-end fields pass as they are") {
    const std::string fields =
        kDate + "Server: uvicorn\r\nSet-Cookie: a\r\nContent-Type: text/event-stream\r\n" +
        "Set-Cookie: b\r\nX_Odd: 1\r\nX-Request-Id: r\r\nCache-Control: no-transform\r\nRetry-After: 3\r\n";
    CHECK(pass_on("HTTP/1.1 429 Slow\r\n" + fields + "\r\n") == fields + via_line());
}

TEST_CASE("answer: fields that go no further") {
    for (const char* field : {
             "Connection: close",
             "Connection: x-named\r\nX-Named: a",
             "Keep-Alive: timeout=5",
             "Proxy-Authenticate: Basic",
             "Trailer: X",
             "Upgrade: h2c",
             "Content-Length: 5",
             "Transfer-Encoding: chunked",
             "x-warmlane-endpoint: a",
         }) {
        CAPTURE(field);
        CHECK(pass_on("HTTP/1.1 200 OK\r\n" + kDate + field + "\r\n\r\n") == kDate + via_line());
    }
}

TEST_CASE("answer: a length that describes a body which is not sent is kept") {
    const std::string fields = kDate + "Content-Length: 5\r\n\r\n";
    const std::string with_length = kDate + via_line() + "Content-Length: 5\r\n";
    CHECK(pass_on("HTTP/1.1 200 OK\r\n" + fields, true) == with_length);
    CHECK(pass_on("HTTP/1.1 304 Not Modified\r\n" + fields) == with_length);
    CHECK(pass_on("HTTP/1.1 204 No Content\r\n" + fields) == kDate + via_line());
    CHECK(pass_on("HTTP/1.1 204 No Content\r\n" + fields, true) == kDate + via_line());
    CHECK(pass_on("HTTP/1.1 103 Early Hints\r\n" + fields) == kDate + via_line());
    CHECK(pass_on("HTTP/1.1 200 OK\r\n" + kDate + "\r\n", true) == kDate + via_line());
}

TEST_CASE("answer: Date is added when absent") {
    const std::string out = pass_on("HTTP/1.0 200 OK\r\n\r\n");
    REQUIRE(out.size() == 6 + 29 + 2 + via_line().size());
    CHECK(out.starts_with("Date: "));
    CHECK(out.ends_with(" GMT\r\nVia: 1.0 " + std::string{via_name()} + "\r\n"));
}

TEST_CASE("http date") {
    using namespace std::chrono;
    struct Row {
        sys_seconds time;
        std::string text;
    };
    const Row rows[] = {
        {sys_seconds{seconds{784'111'777}}, "Sun, 06 Nov 1994 08:49:37 GMT"},
        {sys_seconds{}, "Thu, 01 Jan 1970 00:00:00 GMT"},
        {sys_days{2024y / February / 29} + 23h + 59min + 59s, "Thu, 29 Feb 2024 23:59:59 GMT"},
        {sys_days{2038y / January / 19} + 3h + 14min + 8s, "Tue, 19 Jan 2038 03:14:08 GMT"},
        {sys_days{2100y / December / 31}, "Fri, 31 Dec 2100 00:00:00 GMT"},
    };
    for (const Row& row : rows) {
        const HttpDate date = format_http_date(row.time);
        CHECK(std::string(date.data(), date.size()) == row.text);
    }
    const auto before = floor<seconds>(system_clock::now());
    const std::string now{http_date()};
    const auto after = floor<seconds>(system_clock::now());
    bool found = false;
    for (auto time = before; time <= after; time += 1s) {
        const HttpDate date = format_http_date(time);
        found = found || now == std::string_view(date.data(), date.size());
    }
    CHECK(found);
}

}  // namespace
}  // namespace warmlane::http
