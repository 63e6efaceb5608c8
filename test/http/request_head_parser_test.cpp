#include "http/request_heads.hpp"

#include "warmlane/http/head_parser.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;
using namespace test;

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
    check_verdict(of_size(32'768), kComplete);
    check_verdict(of_size(32'769), refused(431));
    check_verdict(get("Host: t\r\n" + std::string(40'000, 'N') + ": v\r\n"), refused(431));
}

void check_contents(const RequestHead& head) {
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
}

TEST_CASE("request head: what a good head holds") {
    const std::string bytes =
        "\r\nPOST http://t:80/v1/chat/completions?a=b HTTP/1.1\r\nhOsT: t:80\r\nX-A: \t1 2\t \r\nx-a:3\r\n"
        "Content-Length: 00012\r\n\r\nhello, world";
    for (const auto& reads : deliveries(bytes.size())) {
        RequestHeadParser parser;
        const auto progress =
            parse_in_reads(bytes, reads, [&parser](std::string_view prefix) { return parser.parse(prefix); });
        CHECK(progress == HeadProgress::complete);
        check_contents(parser.head());
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
    std::string buffers[] = {std::string(bytes.size(), '?'), std::string(bytes.size(), '?')};
    for (std::size_t size = 1; size <= bytes.size(); ++size) {
        std::string& buffer = buffers[size % 2];
        buffers[1 - size % 2].assign(bytes.size(), '?');
        buffer.assign(bytes);
        const HeadProgress progress = parser.parse(std::string_view{buffer}.substr(0, size));
        CHECK(progress == (size < bytes.size() ? HeadProgress::incomplete : HeadProgress::complete));
    }
    CHECK(parser.head().value_of("x-a") == "b");
    CHECK(parser.head().fields.size() == 3);
    CHECK(parser.head().method == "POST");
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

    const std::string options = get("Host: t\r\nConnection: a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\r\n");
    for (int i = 0; i < 2; ++i) {
        parser.reset();
        CHECK(parser.parse(options) == HeadProgress::complete);
    }

    parser.reset();
    REQUIRE(parser.parse("BAD\r\n") == HeadProgress::invalid);
    parser.reset();
    CHECK(parser.status() == 0);
    CHECK(parser.parse(first) == HeadProgress::complete);
}

}  // namespace
}  // namespace warmlane::http
