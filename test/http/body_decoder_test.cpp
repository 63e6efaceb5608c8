#include "warmlane/http/body_decoder.hpp"

#include "http/deliveries.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;
using State = BodyDecoder::State;

constexpr BodyFraming kChunked{BodyKind::chunked, 0};

struct Decoded {
    State state = State::more;
    std::string content;
    std::string wire;
    /// What the decoder did not take.
    std::string rest;
};

/// Feeds `bytes` in the given reads, and drains the pieces whenever the decoder asks for it.
Decoded decode(BodyDecoder& decoder, std::string_view bytes, const std::vector<std::size_t>& reads) {
    Decoded decoded;
    std::size_t begin = 0;
    for (std::size_t read : reads) {
        std::string_view batch = bytes.substr(begin, read);
        begin += read;
        while (!batch.empty() && decoder.state() == State::more) {
            Pieces content;
            Pieces wire;
            const std::size_t taken = decoder.feed(batch, content, wire);
            for (std::string_view piece : content) {
                decoded.content += piece;
            }
            for (std::string_view piece : wire) {
                decoded.wire += piece;
            }
            batch.remove_prefix(taken);
            REQUIRE((taken > 0 || decoder.state() == State::invalid));
        }
        decoded.rest += batch;
    }
    decoded.state = decoder.state();
    return decoded;
}

Decoded decode(BodyFraming framing, std::string_view bytes, const std::vector<std::size_t>& reads) {
    BodyDecoder decoder;
    decoder.start(framing);
    return decode(decoder, bytes, reads);
}

void check_chunked(
    const std::string& bytes, State expected, const std::string& content, const std::string& wire
) {
    for (const auto& reads : test::deliveries(bytes.size())) {
        CAPTURE(reads.size());
        const Decoded decoded = decode(kChunked, bytes, reads);
        CHECK(decoded.state == expected);
        if (expected != State::invalid) {
            CHECK(decoded.content == content);
            CHECK(decoded.wire == wire);
        }
    }
}

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

TEST_CASE("body: chunks that are good") {
    struct Row {
        const char* name;
        std::string bytes;
        std::string content;
        std::string wire;
    };
    const Row rows[] = {
        {"one chunk", "5\r\nhello\r\n0\r\n\r\n", "hello", "5\r\nhello\r\n0\r\n\r\n"},
        {"empty", "0\r\n\r\n", "", "0\r\n\r\n"},
        {"hex in both cases",
         "A\r\n0123456789\r\nb\r\n0123456789a\r\n0\r\n\r\n",
         "01234567890123456789a",
         "A\r\n0123456789\r\nb\r\n0123456789a\r\n0\r\n\r\n"},
        {"16 digits",
         "0000000000000001\r\na\r\n0000000000000000\r\n\r\n",
         "a",
         "0000000000000001\r\na\r\n0000000000000000\r\n\r\n"},
        {"data that looks like framing",
         "7\r\n0\r\n\r\n\r\n\r\n0\r\n\r\n",
         "0\r\n\r\n\r\n",
         "7\r\n0\r\n\r\n\r\n\r\n0\r\n\r\n"},
        {"extension: a name", "5;a\r\nhello\r\n0\r\n\r\n", "hello", "5\r\nhello\r\n0\r\n\r\n"},
        {"extension: a value", "5;a=b\r\nhello\r\n0\r\n\r\n", "hello", "5\r\nhello\r\n0\r\n\r\n"},
        {"extension: quoted", "5;a=\"b;\\\"c\"\r\nhello\r\n0\r\n\r\n", "hello", "5\r\nhello\r\n0\r\n\r\n"},
        {"extension: several, with blanks",
         "5; a = b ;c;d=\"\"\r\nhello\r\n0;e\r\n\r\n",
         "hello",
         "5\r\nhello\r\n0\r\n\r\n"},
        {"trailers",
         "5\r\nhello\r\n0\r\nAuthorization: x\r\nB:\tc\r\n\r\n",
         "hello",
         "5\r\nhello\r\n0\r\n\r\n"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        check_chunked(row.bytes, State::done, row.content, row.wire);
        check_chunked(
            row.bytes.substr(0, row.bytes.size() - 1),
            State::more,
            row.content,
            row.wire.substr(0, row.wire.size() - 1)
        );
    }
}

TEST_CASE("body: chunks that are broken") {
    const std::string rest = "\r\nhello\r\n0\r\n\r\n";
    struct Row {
        const char* name;
        std::string bytes;
    };
    const Row rows[] = {
        {"0x", "0x5" + rest},
        {"plus", "+5" + rest},
        {"minus", "-5" + rest},
        {"underscore", "5_0" + rest},
        {"space before", " 5" + rest},
        {"space behind", "5 " + rest},
        {"space before an extension", "5 ;a" + rest},
        {"no hex", "g" + rest},
        {"no size", rest},
        {"17 digits", "00000000000000005" + rest},
        {"40 zeros", std::string(40, '0') + "5" + rest},
        {"2^64 - 1", "FFFFFFFFFFFFFFFF" + rest},
        {"2^63", "8000000000000000" + rest},
        {"LF alone behind the size", "5\nhello\r\n0\r\n\r\n"},
        {"CR alone behind the size", "5\rhello\r\n0\r\n\r\n"},
        {"data too long", "4" + rest},
        {"data too short", "6" + rest},
        {"LF alone behind the data", "5\r\nhello\n0\r\n\r\n"},
        {"CR and no LF behind the data", "5\r\nhello\rx0\r\n\r\n"},
        {"extension: nothing", "5;" + rest},
        {"extension: nothing behind the last", "5;a;" + rest},
        {"extension: no value", "5;a=" + rest},
        {"extension: no name", "5;=b" + rest},
        {"extension: two words", "5;a b" + rest},
        {"extension: blank at the end", "5;a " + rest},
        {"extension: quote not closed", "5;a=\"b" + rest},
        {"extension: text behind a quote", "5;a=\"b\"c" + rest},
        {"extension: LF alone", "5;a\nhello\r\n0\r\n\r\n"},
        {"extension: CR alone", "5;a\rx\r\nhello\r\n0\r\n\r\n"},
        {"extension: CRLF in quotes", "5;a=\"\r\n\"" + rest},
        {"extension: NUL in quotes", "5;a=\"\0\""s + rest},
        {"last chunk: CR LF LF", "0\r\n\n"},
        {"last chunk: LF CR LF", "0\n\r\n"},
        {"last chunk: CR and no LF", "0\r\n\rx"},
        {"trailer: LF alone", "0\r\nX: y\n\r\n"},
        {"trailer: folded", "0\r\nX: y\r\n z\r\n\r\n"},
        {"trailer: space before the colon", "0\r\nX : y\r\n\r\n"},
        {"trailer: no colon", "0\r\nX\r\n\r\n"},
        {"trailer: no name", "0\r\n: y\r\n\r\n"},
        {"trailer: NUL", "0\r\nX: \0\r\n\r\n"s},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        check_chunked(row.bytes, State::invalid, "", "");
    }
}

TEST_CASE("body: a broken body is never completed") {
    BodyDecoder decoder;
    decoder.start(kChunked);
    const Decoded decoded = decode(decoder, "3\r\nabc\r\nx\r\n0\r\n\r\n", {17});
    CHECK(decoded.state == State::invalid);
    CHECK(decoded.content == "abc");
    CHECK(decoded.wire == "3\r\nabc\r\n");
    CHECK(decoded.rest == "x\r\n0\r\n\r\n");
    Pieces content;
    Pieces wire;
    CHECK(decoder.feed("0\r\n\r\n", content, wire) == 0);
    decoder.close();
    CHECK(decoder.state() == State::invalid);
}

TEST_CASE("body: framing has limits") {
    const auto line_of = [](std::size_t bytes) { return "1;" + std::string(bytes - 4, 'x') + "\r\n"; };
    check_chunked(line_of(256) + "a\r\n0\r\n\r\n", State::done, "a", "1\r\na\r\n0\r\n\r\n");
    check_chunked(line_of(257) + "a\r\n0\r\n\r\n", State::invalid, "", "");
    check_chunked("1;" + std::string(1 << 20, 'x'), State::invalid, "", "");

    std::string extensions;
    std::string plain;
    for (int i = 0; i < 64; ++i) {
        extensions += "1;" + std::string(127, 'x') + "\r\na\r\n";
        plain += "1\r\na\r\n";
    }
    extensions += extensions;
    plain += plain;
    check_chunked(extensions, State::more, std::string(128, 'a'), plain);
    check_chunked(extensions + "1;x\r\n", State::invalid, "", "");

    const auto trailer_of = [](std::size_t bytes) {
        return "0\r\nX: " + std::string(bytes - 5, 'y') + "\r\n\r\n";
    };
    check_chunked(trailer_of(8'192), State::done, "", "0\r\n\r\n");
    check_chunked(trailer_of(8'193), State::invalid, "", "");
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

    decoder.start({BodyKind::length, 5});
    CHECK_FALSE(decoder.at_boundary());
    decoder.start({BodyKind::until_close, 0});
    CHECK(decoder.at_boundary());
    decoder.close();
    CHECK_FALSE(decoder.at_boundary());
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
    CHECK_FALSE(pieces.accepts(view.data() + 5));
    CHECK(pieces.accepts(view.data() + 1));
}

}  // namespace
}  // namespace warmlane::http
