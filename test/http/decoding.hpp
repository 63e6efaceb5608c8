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

/// Feeds `bytes` in the given reads, and drains the pieces whenever the decoder asks for it.
inline Decoded decode(BodyDecoder& decoder, std::string_view bytes, const std::vector<std::size_t>& reads) {
    Decoded decoded;
    std::size_t begin = 0;
    for (std::size_t read : reads) {
        std::string_view batch = bytes.substr(begin, read);
        begin += read;
        while (!batch.empty() && decoder.state() == BodyDecoder::State::more) {
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
            REQUIRE((taken > 0 || decoder.state() == BodyDecoder::State::invalid));
        }
        decoded.rest += batch;
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
