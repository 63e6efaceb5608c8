#include "http/request_heads.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;
using namespace test;

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

}  // namespace
}  // namespace warmlane::http
