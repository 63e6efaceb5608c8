#include "warmlane/http/body_decoder.hpp"

#include "http/decoding.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <random>
#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;
using namespace test;
using State = BodyDecoder::State;

TEST_CASE("body: no body is done at once") {
    BodyDecoder decoder;
    CHECK(decoder.state() == State::done);
    decoder.start({BodyKind::none, 0});
    CHECK(decoder.state() == State::done);
    decoder.start({BodyKind::length, 0});
    CHECK(decoder.state() == State::done);
    Pieces content;
    Pieces wire;
    CHECK(decoder.feed("next", content, wire) == 0);
    CHECK(content.empty());
}

TEST_CASE("body: a length is counted, and what follows is left") {
    const std::string bytes = "hello, worldGET / HTTP/1.1";
    for (const auto& reads : test::deliveries(bytes.size())) {
        const Decoded decoded = decode({BodyKind::length, 12}, bytes, reads);
        CHECK(decoded.state == State::done);
        CHECK(decoded.content == "hello, world");
        CHECK(decoded.wire == "hello, world");
        CHECK(decoded.rest == "GET / HTTP/1.1");
    }
}

TEST_CASE("body: closing completes only a body that runs until then") {
    struct Row {
        const char* name;
        BodyFraming framing;
        std::string bytes;
        State expected;
    };
    const Row rows[] = {
        {"until the close", {BodyKind::until_close, 0}, "abc", State::done},
        {"until the close, empty", {BodyKind::until_close, 0}, "", State::done},
        {"length, short", {BodyKind::length, 4}, "abc", State::invalid},
        {"length, complete", {BodyKind::length, 3}, "abc", State::done},
        {"chunked, between chunks", kChunked, "3\r\nabc\r\n", State::invalid},
        {"chunked, before the last CRLF", kChunked, "0\r\n", State::invalid},
        {"chunked, complete", kChunked, "0\r\n\r\n", State::done},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        BodyDecoder decoder;
        decoder.start(row.framing);
        decode(decoder, row.bytes, {row.bytes.size()});
        decoder.close();
        CHECK(decoder.state() == row.expected);
    }
}

TEST_CASE("body: a batch of any number of chunks is one piece on the wire") {
    std::string bytes;
    for (int i = 0; i < 20; ++i) {
        bytes += "3\r\nabc\r\n";
    }
    BodyDecoder decoder;
    decoder.start(kChunked);
    Pieces content;
    Pieces wire;
    CHECK(decoder.feed(bytes, content, wire) == bytes.size());
    REQUIRE(wire.span().size() == 1);
    CHECK(wire.span()[0].data() == bytes.data());
    CHECK(wire.span()[0].size() == bytes.size());
    CHECK(content.span().size() == 20);
    CHECK(content.bytes() == 60);
}

TEST_CASE("body: full pieces stop the decoder where the rest can follow") {
    std::string bytes;
    for (int i = 0; i < 40; ++i) {
        bytes += "1\r\na\r\n";
    }
    BodyDecoder decoder;
    decoder.start(kChunked);
    Pieces content;
    Pieces wire;
    const std::size_t taken = decoder.feed(bytes, content, wire);
    CHECK(content.full());
    CHECK(taken < bytes.size());
    CHECK(wire.bytes() == taken);
    CHECK(decoder.feed(std::string_view{bytes}.substr(taken), content, wire) == 0);
    content.clear();
    wire.clear();
    CHECK(decoder.feed(std::string_view{bytes}.substr(taken), content, wire) == bytes.size() - taken);
    CHECK(content.bytes() == 8);
}

TEST_CASE("body: where a chunk of our own may begin") {
    BodyDecoder decoder;
    decoder.start(kChunked);
    const std::string bytes = "3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n";
    std::string boundaries;
    for (char c : bytes) {
        boundaries += decoder.at_boundary() ? '|' : '.';
        Pieces content;
        Pieces wire;
        REQUIRE(decoder.feed({&c, 1}, content, wire) == 1);
    }
    CHECK(boundaries == "|.......|.....|....");
    CHECK(decoder.state() == State::done);
    CHECK_FALSE(decoder.at_boundary());

    CHECK_FALSE(BodyDecoder{}.at_boundary());
    decoder.start({BodyKind::length, 5});
    CHECK_FALSE(decoder.at_boundary());
    decoder.start({BodyKind::until_close, 0});
    CHECK(decoder.at_boundary());
    decoder.close();
    CHECK_FALSE(decoder.at_boundary());
}

TEST_CASE("body: where a chunk of our own may begin when no more comes") {
    struct Row {
        const char* name;
        std::string bytes;
        bool at_boundary;
    };
    const Row rows[] = {
        {"nothing came", "", true},
        {"closed between chunks", "3\r\nabc\r\n", true},
        {"closed in a size", "3\r\nabc\r\n1", false},
        {"closed in a chunk", "3\r\nab", false},
        {"closed behind the data", "3\r\nabc\r", false},
        {"closed before the end", "0\r\n", false},
        {"broken between chunks", "3\r\nabc\r\nx", false},
        {"broken behind the data", "3\r\nabc\rx", false},
        {"complete", "0\r\n\r\n", false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        BodyDecoder decoder;
        decoder.start(kChunked);
        decode(decoder, row.bytes, {row.bytes.size()});
        decoder.close();
        CHECK(decoder.at_boundary() == row.at_boundary);
    }
}

/// A random body in random chunks, with or without extensions and trailers.
struct RandomBody {
    std::string content;
    std::string bytes;
};

RandomBody make_body(std::mt19937& random, bool decorated) {
    const auto up_to = [&random](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>{0, most}(random);
    };
    const std::string alphabet = "0\r\n;=\"aF: \x00\xff"s;
    RandomBody body;
    const std::size_t chunks = up_to(60);
    for (std::size_t i = 0; i < chunks; ++i) {
        std::string chunk;
        for (std::size_t j = 1 + up_to(i % 7 == 0 ? 300 : 5); j > 0; --j) {
            chunk += alphabet[up_to(alphabet.size() - 1)];
        }
        char size[20];
        std::snprintf(size, sizeof(size), up_to(1) == 0 ? "%zx" : "%04zX", chunk.size());
        body.bytes += size;
        body.bytes += decorated && up_to(2) == 0 ? ";ext=\"a\\\"b\"" : "";
        body.bytes += "\r\n" + chunk + "\r\n";
        body.content += chunk;
    }
    body.bytes += decorated ? "0;last\r\nA: b\r\nC: d\r\n\r\n" : "0\r\n\r\n";
    return body;
}

TEST_CASE("body: for random chunks and cuts the content comes back and the wire says the same") {
    std::mt19937 random{7};
    for (unsigned round = 0; round < 200; ++round) {
        const bool decorated = round % 2 == 1;
        const RandomBody body = make_body(random, decorated);
        CAPTURE(round);
        std::string first_wire;
        for (const auto& reads : test::deliveries(body.bytes.size(), round)) {
            const Decoded decoded = decode(kChunked, body.bytes, reads);
            REQUIRE(decoded.state == State::done);
            REQUIRE(decoded.content == body.content);
            if (!decorated) {
                REQUIRE(decoded.wire == body.bytes);
            }
            first_wire = first_wire.empty() ? decoded.wire : first_wire;
            REQUIRE(decoded.wire == first_wire);
        }
        const Decoded again = decode(kChunked, first_wire, {first_wire.size()});
        REQUIRE(again.state == State::done);
        REQUIRE(again.content == body.content);
        REQUIRE(again.wire == first_wire);
    }
}

TEST_CASE("pieces: views that follow each other in memory are one") {
    const std::string text = "abcdef";
    const std::string_view view = text;
    Pieces pieces;
    pieces.push(view.substr(0, 2));
    pieces.push(view.substr(2, 0));
    pieces.push(view.substr(2, 2));
    CHECK(pieces.span().size() == 1);
    CHECK(pieces.bytes() == 4);
    for (int i = 0; i < 31; ++i) {
        pieces.push(view.substr(i % 2 == 0 ? 0 : 3, 1));
    }
    CHECK(pieces.full());
    CHECK_FALSE(pieces.accepts(view.substr(5)));
    CHECK(pieces.accepts(view.substr(1)));
}

}  // namespace
}  // namespace warmlane::http
