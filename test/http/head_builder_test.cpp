#include "warmlane/http/head_builder.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;

TEST_CASE("head builder: a request and an answer") {
    std::string out;
    HeadBuilder request{out};
    request.request_line("POST", "/v1/completions?a=b");
    CHECK(request.add("Host", "t:80"));
    CHECK(request.add("Empty", ""));
    CHECK(request.add("Content-Length", std::numeric_limits<std::uint64_t>::max()));
    request.finish();
    CHECK(
        out ==
        "POST /v1/completions?a=b HTTP/1.1\r\nHost: t:80\r\nEmpty: \r\n"
        "Content-Length: 18446744073709551615\r\n\r\n"
    );

    out.clear();
    HeadBuilder answer{out};
    answer.status_line(503);
    answer.finish();
    answer.status_line(200, "Fine");
    answer.status_line(299);
    CHECK(out == "HTTP/1.1 503 Service Unavailable\r\n\r\nHTTP/1.1 200 Fine\r\nHTTP/1.1 299 Unknown\r\n");
}

TEST_CASE("head builder: a base path goes before paths only") {
    std::string out;
    HeadBuilder head{out};
    head.request_line("GET", "/v1/models", "/base");
    head.request_line("OPTIONS", "*", "/base");
    CHECK(out == "GET /base/v1/models HTTP/1.1\r\nOPTIONS * HTTP/1.1\r\n");
}

TEST_CASE("head builder: fields that could end a line are left out") {
    struct Row {
        const char* name;
        std::string field;
        std::string value;
        bool added;
    };
    const Row rows[] = {
        {"plain", "A", "b", true},
        {"tab and bytes above 127", "A", "b\tc\xff", true},
        {"long value", "A", std::string(1'000, 'b'), true},
        {"several tabs", "A", "b\tc\td\t", true},
        {"CRLF in the value", "A", "b\r\nC: d", false},
        {"LF in the value", "A", "b\nC: d", false},
        {"CR at the end of the value", "A", "b\r", false},
        {"NUL in the value", "A", "b\0"s, false},
        {"DEL in the value", "A", "b\x7f", false},
        {"control character behind a tab", "A", "\t\x01", false},
        {"empty name", "", "b", false},
        {"space in the name", "A B", "b", false},
        {"colon in the name", "A:", "b", false},
        {"CRLF in the name", "A\r\nB", "b", false},
        {"byte above 127 in the name", "A\xe9", "b", false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        std::string out;
        HeadBuilder head{out};
        CHECK(head.add(row.field, row.value) == row.added);
        CHECK(out == (row.added ? row.field + ": " + row.value + "\r\n" : ""));
    }
}

TEST_CASE("head builder: wrong bytes of a start line are left out") {
    std::string out;
    HeadBuilder head{out};
    head.request_line("G\r\nET", "/a b\r\nHost: x", "/b\n");
    head.status_line(200, "Go\r\nodd\tday \xe9");
    CHECK(out == "GET /b/abHost:x HTTP/1.1\r\nHTTP/1.1 200 Goodd\tday \xe9\r\n");
}

TEST_CASE("head builder: usual reasons") {
    struct Row {
        unsigned status;
        const char* reason;
    };
    const Row rows[] = {
        {100, "Continue"},
        {200, "OK"},
        {405, "Method Not Allowed"},
        {408, "Request Timeout"},
        {413, "Content Too Large"},
        {429, "Too Many Requests"},
        {431, "Request Header Fields Too Large"},
        {504, "Gateway Timeout"},
        {599, "Unknown"},
        {0, "Unknown"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.status);
        CHECK(reason_of(row.status) == row.reason);
    }
}

}  // namespace
}  // namespace warmlane::http
