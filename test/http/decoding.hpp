#pragma once

#include "http/deliveries.hpp"

#include "warmlane/http/body_decoder.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

namespace warmlane::http::test {

inline constexpr BodyFraming kChunked{BodyKind::chunked, 0};

/// What came out of a decoder.
struct Decoded {
    BodyDecoder::State state = BodyDecoder::State::more;
    std::string content;
    std::string wire;
    /// What the decoder did not take.
    std::string rest;
};

inline void append(std::string& out, const Pieces& pieces) {
    for (std::string_view piece : pieces) {
        out += piece;
    }
}

/// Gives one read to the decoder, and drains the pieces whenever it asks for that.
inline void feed(BodyDecoder& decoder, std::string_view read, Decoded& decoded) {
    std::size_t taken = 1;
    while (!read.empty() && decoder.state() == BodyDecoder::State::more && taken > 0) {
        Pieces content;
        Pieces wire;
        taken = decoder.feed(read, content, wire);
        append(decoded.content, content);
        append(decoded.wire, wire);
        read.remove_prefix(taken);
    }
    decoded.rest += read;
}

inline Decoded decode(BodyDecoder& decoder, std::string_view bytes, const std::vector<std::size_t>& reads) {
    Decoded decoded;
    for (std::size_t read : reads) {
        feed(decoder, bytes.substr(0, read), decoded);
        bytes.remove_prefix(read);
    }
    decoded.state = decoder.state();
    return decoded;
}

inline Decoded decode(BodyFraming framing, std::string_view bytes, const std::vector<std::size_t>& reads) {
    BodyDecoder decoder;
    decoder.start(framing);
    return decode(decoder, bytes, reads);
}

}  // namespace warmlane::http::test
