// A chunked body gives the same content, wire and end for every way of cutting it, and its wire is a body of
// the same content that has nothing left to drop.

#include "fuzz/fuzz_input.hpp"

#include "warmlane/http/body_decoder.hpp"

#include <string>

namespace {

using namespace warmlane::http;
using warmlane::fuzz::FuzzInput;
using warmlane::fuzz::require;
using State = BodyDecoder::State;

struct Decoded {
    std::string content;
    std::string wire;
    std::size_t taken = 0;
};

/// Gives `bytes` to the decoder until it wants no more of them.
void feed(BodyDecoder& decoder, std::string_view bytes, Decoded& out) {
    while (!bytes.empty() && decoder.state() == State::more) {
        Pieces content;
        Pieces wire;
        const std::size_t taken = decoder.feed(bytes, content, wire);
        require(taken <= bytes.size());
        require(taken > 0 || decoder.state() == State::invalid);
        require(content.bytes() <= taken && wire.bytes() <= taken);
        for (std::string_view piece : content) {
            out.content += piece;
        }
        for (std::string_view piece : wire) {
            out.wire += piece;
        }
        out.taken += taken;
        bytes.remove_prefix(taken);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const FuzzInput input{data, size};
    BodyDecoder whole;
    whole.start({BodyKind::chunked, 0});
    Decoded expected;
    feed(whole, input.bytes(), expected);

    BodyDecoder cut;
    cut.start({BodyKind::chunked, 0});
    Decoded decoded;
    input.for_each_read([&](std::size_t begin, std::size_t bytes) {
        feed(cut, input.bytes().substr(begin, bytes), decoded);
        return cut.state() == State::more;
    });
    require(cut.state() == whole.state());
    require(decoded.taken == expected.taken);
    require(decoded.content == expected.content && decoded.wire == expected.wire);

    BodyDecoder again;
    again.start({BodyKind::chunked, 0});
    Decoded rewired;
    feed(again, expected.wire, rewired);
    require(again.state() == (whole.state() == State::done ? State::done : State::more));
    require(rewired.content == expected.content && rewired.wire == expected.wire);
    return 0;
}
