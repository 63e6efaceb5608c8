#pragma once

#include "faults.hpp"

#include "warmlane/http/exchange.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warmlane::sim {

/// Splits events into the chunks that a fault asks for. Pure.
class ChunkCutter {
public:
    /// `framed`: with the framing of chunked coding, else bare.
    ChunkCutter(std::size_t gather_bytes, std::size_t slice_bytes, bool framed)
        : gather_bytes_(gather_bytes), slice_bytes_(slice_bytes), framed_(framed) {}

    /// Appends the chunks that `event` completes to `out`.
    void add(std::string_view event, std::string& out);
    /// Appends what is still gathered, and the last chunk.
    void finish(std::string& out);

private:
    void append_chunk(std::string_view content, std::string& out) const;
    void append_sliced(std::string_view content, std::string& out) const;

    const std::size_t gather_bytes_;
    const std::size_t slice_bytes_;
    const bool framed_;
    std::string gathered_;
};

/// Writes one answer, in order, with the fault that it is to have. Every call but `event` gives an error when
/// the answer is over before its end: the client is gone, or the fault has cut it.
class AnswerWriter {
public:
    /// `exchange` outlives the writer.
    AnswerWriter(http::Exchange& exchange, Fault fault);

    /// Waits as long as the fault wants before the head.
    http::Awaitable<error_code> before_head();
    /// A whole answer.
    http::Awaitable<error_code> respond(const http::Response& response);

    /// Begins a stream of server-sent events.
    http::Awaitable<error_code> start_events();
    /// Adds one event to what the next `flush` sends: one chunk.
    void event(std::string_view text);
    http::Awaitable<error_code> flush();
    http::Awaitable<error_code> finish();

    const Fault& fault() const { return fault_; }
    /// The error event of the fault is due before the next event.
    bool error_is_due() const { return fault_.error_events && events_ >= *fault_.error_events; }

private:
    bool is_cut() const { return fault_.cut != Fault::Cut::none; }
    void mark_event();
    std::string head(unsigned status, std::string_view fields, std::optional<std::size_t> length) const;
    http::Awaitable<error_code> pause(std::chrono::milliseconds time);
    http::Awaitable<error_code> send();
    http::Awaitable<error_code> send_cut();
    http::Awaitable<error_code> end_cut();

    http::Exchange& exchange_;
    const Fault fault_;
    ChunkCutter cutter_;
    std::string pending_;
    std::uint64_t bytes_ = 0;
    std::uint64_t events_ = 0;
    /// Byte of the answer at which it is cut.
    std::optional<std::uint64_t> cut_at_;
    bool body_begun_ = false;
};

}  // namespace warmlane::sim
