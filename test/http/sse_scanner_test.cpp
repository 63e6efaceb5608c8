#include "warmlane/http/sse_scanner.hpp"

#include "http/deliveries.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;

struct Row {
    const char* name;
    std::string bytes;
    std::uint64_t events;
    bool at_boundary;
};

const Row kStreams[] = {
    {"nothing", "", 0, true},
    {"LF", "data: a\n\n", 1, true},
    {"CR", "data: a\r\r", 1, true},
    {"CRLF", "data: a\r\n\r\n", 1, true},
    {"mixed line ends", "data: a\r\n\rdata: b\n\r\ndata: c\r\r\n", 3, true},
    {"CRLF is one line end", "data: a\r\n", 0, false},
    {"LF LF within CR LF LF", "data: a\r\n\ndata: b\r\n\n", 2, true},
    {"no space behind the colon", "data:a\n\n", 1, true},
    {"no colon", "data\n\n", 1, true},
    {"empty data", "data:\n\n", 1, true},
    {"several lines", "data: a\ndata: b\n\n", 1, true},
    {"other fields too", "event: x\nid: 1\ndata: a\nretry: 5\n\n", 1, true},
    {"id with NUL", "id: \0\ndata: a\n\n"s, 1, true},
    {"tabs and other control characters", "data: a\tb\x01 c\x7f\n\n", 1, true},
    {"no data field", "event: x\nid: 1\n\n", 0, true},
    {"data in a block of its own", "event: x\n\ndata: a\n\n", 1, true},
    {"comments", ": keep-alive\n\n:\n\n", 0, true},
    {"comment before an event", ": c\ndata: a\n\n", 1, true},
    {"comment without an empty line", ": c\n", 0, true},
    {"comment within an event", "data: a\n: c\n", 0, false},
    {"comment that is not complete", ": c", 0, false},
    {"empty lines", "\n\n\r\n\r\r", 0, true},
    {"names that begin alike", "dat: a\n\ndatax: a\n\ndata : a\n\nDATA: a\n\n", 0, true},
    {"space before the name", " data: a\n\n", 0, true},
    {"event that is not complete", "data: a\n\ndata: b\n", 1, false},
    {"line that is not complete", "data: a\n\ndata: b", 1, false},
    {"name that is not complete", "data: a\n\nda", 1, false},
    {"byte order mark",
     "\xEF\xBB\xBF"
     "data: a\n\n",
     1,
     true},
    {"byte order mark before an empty line", "\xEF\xBB\xBF\n", 0, true},
    {"byte order mark later",
     "\n\xEF\xBB\xBF"
     "data: a\n\n",
     0,
     true},
    {"byte order mark twice",
     "\xEF\xBB\xBF\xEF\xBB\xBF"
     "data: a\n\n",
     0,
     true},
    {"half a byte order mark",
     "\xEF\xBB"
     "data: a\n\n",
     0,
     true},
    {"line of half a byte order mark", "\xEF\xBB\n", 0, false},
    {"usual stream",
     "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: {\"usage\":{}}\n\ndata: [DONE]\n\n",
     3,
     true},
};

TEST_CASE("sse: events are counted wherever the bytes are cut") {
    for (const Row& row : kStreams) {
        CAPTURE(row.name);
        for (const auto& reads : test::deliveries(row.bytes.size())) {
            CAPTURE(reads.size());
            SseScanner scanner;
            std::size_t begin = 0;
            std::uint64_t sum = 0;
            for (std::size_t read : reads) {
                sum += scanner.feed(std::string_view{row.bytes}.substr(begin, read));
                begin += read;
            }
            CHECK(scanner.events() == row.events);
            CHECK(sum == row.events);
            CHECK(scanner.at_boundary() == row.at_boundary);
        }
    }
}

TEST_CASE("sse: feed tells how many events ended in its bytes") {
    SseScanner scanner;
    CHECK(scanner.feed("data: a\n\ndata: b\n") == 1);
    CHECK(scanner.feed("\n") == 1);
    CHECK(scanner.feed("") == 0);
    CHECK(scanner.feed("data: c\r") == 0);
    CHECK(scanner.feed("\n") == 0);
    CHECK_FALSE(scanner.at_boundary());
    CHECK(scanner.feed("\r") == 1);
    CHECK(scanner.at_boundary());
    CHECK(scanner.feed("\n") == 0);
    CHECK(scanner.at_boundary());
    CHECK(scanner.events() == 3);
}

TEST_CASE("sse: long lines around every length of a word") {
    for (std::size_t length = 0; length < 40; ++length) {
        CAPTURE(length);
        std::string events = "data: ";
        events.append(length, '\xe2').append("\r\n\r\n");
        events += events;
        SseScanner scanner;
        CHECK(scanner.feed(events) == 2);
        CHECK(scanner.at_boundary());
    }
}

}  // namespace
}  // namespace warmlane::http
