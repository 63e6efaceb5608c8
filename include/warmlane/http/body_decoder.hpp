#pragma once

#include "warmlane/http/message.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace warmlane::http {

/// A short list of views, in order.
class Pieces {
public:
    static constexpr std::size_t kMax = 32;

    void clear() { count_ = 0; }
    bool full() const { return count_ == kMax; }
    bool empty() const { return count_ == 0; }
    /// There is room for `piece`, or it continues the last one.
    bool accepts(std::string_view piece) const { return !full() || continues_last(piece); }
    /// Precondition: `accepts(piece)`.
    void push(std::string_view piece) {
        if (piece.empty()) {
            return;
        }
        if (continues_last(piece)) {
            items_[count_ - 1] = {items_[count_ - 1].data(), items_[count_ - 1].size() + piece.size()};
            return;
        }
        items_[count_++] = piece;
    }
    std::size_t bytes() const {
        std::size_t sum = 0;
        for (std::string_view piece : span()) {
            sum += piece.size();
        }
        return sum;
    }
    std::span<const std::string_view> span() const { return {items_.data(), count_}; }
    auto begin() const { return span().begin(); }
    auto end() const { return span().end(); }

private:
    bool continues_last(std::string_view piece) const {
        return count_ > 0 && items_[count_ - 1].data() + items_[count_ - 1].size() == piece.data();
    }

    std::array<std::string_view, kMax> items_;
    std::size_t count_ = 0;
};

/// The extensions of one chunk-size line as RFC 9112, 7.1.1 spells them, a byte at a time from the first `;`
/// on:
/// `;name`, `;name=token` and `;name="quoted"`.
class ChunkExtensions {
public:
    /// The next byte; false when it cannot stand here.
    bool take(char c);
    /// The line may end here.
    bool complete() const;

private:
    enum class At : std::uint8_t {
        start,
        name_start,
        name,
        name_blank,
        value_start,
        value,
        quoted,
        escaped,
        quoted_end,
        value_blank,
    };

    At at_ = At::start;
};

/// Follows a message body through its framing, wherever the bytes are cut. Chunked framing is checked
/// strictly (RFC 9112, 7.1: CRLF only, at most 16 hex digits) and bounded: a chunk has less than 2^63 bytes,
/// a chunk-size line at most 256 bytes, all extensions of a body together 16 KiB, trailers 8 KiB. No I/O.
class BodyDecoder {
public:
    enum class State {
        /// More of the body must come.
        more,
        /// The body is complete; what follows belongs to the next message.
        done,
        /// The framing is broken; nothing after this point may be believed.
        invalid,
    };

    /// Begins a body; `none` and a length of 0 are done at once.
    void start(BodyFraming framing);
    State state() const { return state_; }

    /// Takes bytes from the front of `bytes` and tells how many; fewer than all when the body ended or broke,
    /// or when the pieces are full: then send and clear them, and call again with the rest.
    ///
    /// @param content  gets the content, without framing.
    /// @param wire     gets what a peer of the same framing may be sent as it is: the bytes without chunk
    ///                 extensions and trailers. Both are views into `bytes`, are added to, and not cleared.
    std::size_t feed(std::string_view bytes, Pieces& content, Pieces& wire);

    /// The peer closed: completes a body that runs until then, and breaks any other that is not done.
    void close();

    /// What was given out ends between two chunks, or runs until the close: a chunk of our own may follow it,
    /// also when the peer closed too early. False for a body of known length, and when the framing is broken.
    bool at_boundary() const;

private:
    enum class Phase : std::uint8_t {
        size,
        extension,
        size_lf,
        data,
        data_cr,
        data_lf,
        trailer_start,
        trailer_name,
        trailer_value,
        trailer_lf,
        final_lf,
        broken,
    };
    /// What becomes of a byte of chunked framing.
    enum class Fate { kept, dropped, refused };

    std::size_t feed_plain(std::string_view bytes, Pieces& content, Pieces& wire);
    std::size_t feed_chunked(std::string_view bytes, Pieces& content, Pieces& wire);
    std::size_t take_data(std::string_view bytes, Pieces& content);
    Fate take_framing(char c);
    Fate take_size(char c);
    Fate take_extension(char c);
    Fate take_trailer(char c);
    Fate end_size_line();
    Fate begin_chunk();
    Fate expect(char c, char expected, Phase next);

    BodyFraming framing_;
    State state_ = State::done;
    Phase phase_ = Phase::size;
    /// Bytes left of the body, or of the chunk.
    std::uint64_t remaining_ = 0;
    std::size_t digits_ = 0;
    std::size_t line_bytes_ = 0;
    std::size_t extension_bytes_ = 0;
    std::size_t trailer_bytes_ = 0;
    ChunkExtensions extensions_;
};

}  // namespace warmlane::http
