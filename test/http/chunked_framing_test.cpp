#include "http/decoding.hpp"

#include "warmlane/http/body_decoder.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::http {
namespace {

using namespace std::string_literals;
using namespace test;
using State = BodyDecoder::State;

/// Decodes in every delivery; all must agree.
void check_chunked(
    const std::string& bytes, State expected, const std::string& content, const std::string& wire
) {
    for (const auto& reads : deliveries(bytes.size())) {
        CAPTURE(reads.size());
        const Decoded decoded = decode(kChunked, bytes, reads);
        CHECK(decoded.state == expected);
        CHECK(decoded.content == content);
        CHECK(decoded.wire == wire);
    }
}

void check_broken(const std::string& bytes) {
    for (const auto& reads : deliveries(bytes.size())) {
        CAPTURE(reads.size());
        CHECK(decode(kChunked, bytes, reads).state == State::invalid);
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
        check_broken(row.bytes);
    }
}

TEST_CASE("body: a broken body is never completed") {
    BodyDecoder decoder;
    decoder.start(kChunked);
    const Decoded decoded = decode(decoder, "3\r\nabc\r\nx\r\n0\r\n\r\n", {16});
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
    check_broken(line_of(257) + "a\r\n0\r\n\r\n");
    check_broken("1;" + std::string(1 << 20, 'x'));

    std::string extensions;
    std::string plain;
    for (int i = 0; i < 64; ++i) {
        extensions += "1;" + std::string(127, 'x') + "\r\na\r\n";
        plain += "1\r\na\r\n";
    }
    extensions += extensions;
    plain += plain;
    check_chunked(extensions, State::more, std::string(128, 'a'), plain);
    check_broken(extensions + "1;x\r\n");

    const auto trailer_of = [](std::size_t bytes) {
        return "0\r\nX: " + std::string(bytes - 5, 'y') + "\r\n\r\n";
    };
    check_chunked(trailer_of(8'192), State::done, "", "0\r\n\r\n");
    check_broken(trailer_of(8'193));
}

}  // namespace
}  // namespace warmlane::http
