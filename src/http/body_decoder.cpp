#include "warmlane/http/body_decoder.hpp"

#include "http/chars.hpp"

#include <algorithm>

namespace warmlane::http {

namespace {

constexpr std::size_t kSizeDigitsMax = 16;
constexpr std::size_t kSizeLineBytesMax = 256;
constexpr std::size_t kExtensionBytesMax = std::size_t{16} * 1024;
constexpr std::size_t kTrailerBytesMax = std::size_t{8} * 1024;

unsigned hex_value(char c) {
    return static_cast<unsigned>(is(digit_char, c) ? c - '0' : (c | 0x20) - 'a' + 10);
}

}  // namespace

void BodyDecoder::start(BodyFraming framing) {
    *this = {};
    framing_ = framing;
    remaining_ = framing.kind == BodyKind::length ? framing.length : 0;
    const bool empty =
        framing.kind == BodyKind::none || (framing.kind == BodyKind::length && framing.length == 0);
    state_ = empty ? State::done : State::more;
}

std::size_t BodyDecoder::feed(std::string_view bytes, Pieces& content, Pieces& wire) {
    if (state_ != State::more || !wire.accepts(bytes)) {
        return 0;
    }
    return framing_.kind == BodyKind::chunked ? feed_chunked(bytes, content, wire)
                                              : feed_plain(bytes, content, wire);
}

void BodyDecoder::close() {
    if (state_ == State::more) {
        state_ = framing_.kind == BodyKind::until_close ? State::done : State::invalid;
    }
}

bool BodyDecoder::at_boundary() const {
    if (framing_.kind == BodyKind::until_close) {
        return state_ == State::more;
    }
    return framing_.kind == BodyKind::chunked && phase_ == Phase::size && digits_ == 0;
}

std::size_t BodyDecoder::feed_plain(std::string_view bytes, Pieces& content, Pieces& wire) {
    if (!content.accepts(bytes)) {
        return 0;
    }
    std::string_view taken = bytes;
    if (framing_.kind == BodyKind::length) {
        taken = bytes.substr(0, remaining_);
        remaining_ -= taken.size();
        state_ = remaining_ == 0 ? State::done : State::more;
    }
    content.push(taken);
    wire.push(taken);
    return taken.size();
}

/// What is kept leaves as runs, from `run` on, that end only where bytes are dropped; so a body without
/// extensions and trailers is one piece, whatever its chunks.
std::size_t BodyDecoder::feed_chunked(std::string_view bytes, Pieces& content, Pieces& wire) {
    std::size_t at = 0;
    std::size_t run = 0;
    while (at < bytes.size() && state_ == State::more) {
        if (phase_ == Phase::data) {
            const std::size_t taken = take_data(bytes.substr(at), content);
            if (taken == 0) {
                break;
            }
            at += taken;
            continue;
        }
        const Fate fate = take_framing(bytes[at]);
        if (fate == Fate::refused) {
            state_ = State::invalid;
            phase_ = Phase::broken;
            break;
        }
        ++at;
        if (fate == Fate::dropped) {
            wire.push(bytes.substr(run, at - 1 - run));
            run = at;
            if (wire.full()) {
                break;
            }
        }
    }
    wire.push(bytes.substr(run, at - run));
    return at;
}

std::size_t BodyDecoder::take_data(std::string_view bytes, Pieces& content) {
    if (!content.accepts(bytes)) {
        return 0;
    }
    const std::string_view taken = bytes.substr(0, remaining_);
    content.push(taken);
    remaining_ -= taken.size();
    if (remaining_ == 0) {
        phase_ = Phase::data_cr;
    }
    return taken.size();
}

BodyDecoder::Fate BodyDecoder::take_framing(char c) {
    switch (phase_) {
        case Phase::size: return take_size(c);
        case Phase::extension: return take_extension(c);
        case Phase::size_lf: return c == '\n' ? begin_chunk() : Fate::refused;
        case Phase::data_cr: return expect(c, '\r', Phase::data_lf);
        case Phase::data_lf: return expect(c, '\n', Phase::size);
        case Phase::trailer_start:
        case Phase::trailer_name:
        case Phase::trailer_value:
        case Phase::trailer_lf: return take_trailer(c);
        case Phase::final_lf: state_ = State::done; return c == '\n' ? Fate::kept : Fate::refused;
        case Phase::data:
        case Phase::broken: break;
    }
    return Fate::refused;
}

BodyDecoder::Fate BodyDecoder::expect(char c, char expected, Phase next) {
    phase_ = next;
    return c == expected ? Fate::kept : Fate::refused;
}

BodyDecoder::Fate BodyDecoder::take_size(char c) {
    if (is(hex_char, c)) {
        remaining_ = remaining_ << 4 | hex_value(c);
        return ++digits_ <= kSizeDigitsMax ? Fate::kept : Fate::refused;
    }
    if (digits_ == 0) {
        return Fate::refused;
    }
    line_bytes_ = digits_;
    if (c == ';') {
        phase_ = Phase::extension;
        extensions_ = {};
        return take_extension(c);
    }
    return c == '\r' ? end_size_line() : Fate::refused;
}

BodyDecoder::Fate BodyDecoder::take_extension(char c) {
    if (c == '\r') {
        return extensions_.complete() ? end_size_line() : Fate::refused;
    }
    ++line_bytes_;
    ++extension_bytes_;
    const bool fits = line_bytes_ + 2 <= kSizeLineBytesMax && extension_bytes_ <= kExtensionBytesMax;
    return fits && extensions_.take(c) ? Fate::dropped : Fate::refused;
}

BodyDecoder::Fate BodyDecoder::end_size_line() {
    phase_ = Phase::size_lf;
    digits_ = 0;
    return remaining_ >> 63 == 0 ? Fate::kept : Fate::refused;
}

BodyDecoder::Fate BodyDecoder::begin_chunk() {
    phase_ = remaining_ > 0 ? Phase::data : Phase::trailer_start;
    return Fate::kept;
}

BodyDecoder::Fate BodyDecoder::take_trailer(char c) {
    if (phase_ == Phase::trailer_start && c == '\r') {
        phase_ = Phase::final_lf;
        return Fate::kept;
    }
    if (++trailer_bytes_ > kTrailerBytesMax) {
        return Fate::refused;
    }
    bool good = false;
    if (phase_ == Phase::trailer_lf) {
        good = c == '\n';
        phase_ = Phase::trailer_start;
    } else if (phase_ == Phase::trailer_value) {
        good = c == '\r' || c == '\t' || !is_control(c);
        phase_ = c == '\r' ? Phase::trailer_lf : Phase::trailer_value;
    } else {
        const bool ends_name = c == ':' && phase_ == Phase::trailer_name;
        good = is(token_char, c) || ends_name;
        phase_ = ends_name ? Phase::trailer_value : Phase::trailer_name;
    }
    return good ? Fate::dropped : Fate::refused;
}

}  // namespace warmlane::http
