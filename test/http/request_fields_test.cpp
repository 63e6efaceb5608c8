#include "http/request_heads.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;
using namespace test;

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
        {"close before others", get("Host: t\r\nConnection: close, x\r\n"), false},
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

}  // namespace
}  // namespace warmlane::http
