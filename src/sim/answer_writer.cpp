#include "answer_writer.hpp"

#include "warmlane/http/head_builder.hpp"
#include "warmlane/http/header_rules.hpp"
#include "warmlane/http/types.hpp"

#include <boost/asio/error.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace warmlane::sim {
namespace {

constexpr std::string_view kEventFields =
    "Content-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\n";
constexpr std::string_view kLastChunk = "0\r\n\r\n";
const http::Pieces kNothing;

http::Pieces pieces_of(std::string_view bytes) {
    http::Pieces pieces;
    pieces.push(bytes);
    return pieces;
}

std::string field_lines(const http::Response& response) {
    std::string lines;
    http::HeadBuilder builder(lines);
    if (!response.body.empty()) {
        builder.add("Content-Type", response.content_type);
    }
    for (const http::OwnedField& field : response.fields) {
        builder.add(field.name, field.value);
    }
    return lines;
}

}  // namespace

void ChunkCutter::append_chunk(std::string_view content, std::string& out) const {
    if (framed_) {
        fmt::format_to(std::back_inserter(out), "{:x}\r\n{}\r\n", content.size(), content);
    } else {
        out += content;
    }
}

void ChunkCutter::append_sliced(std::string_view content, std::string& out) const {
    const std::size_t slice = slice_bytes_ == 0 ? content.size() : slice_bytes_;
    while (!content.empty()) {
        append_chunk(content.substr(0, slice), out);
        content.remove_prefix(std::min(slice, content.size()));
    }
}

void ChunkCutter::add(std::string_view event, std::string& out) {
    if (gather_bytes_ == 0) {
        append_sliced(event, out);
        return;
    }
    gathered_ += event;
    if (gathered_.size() >= gather_bytes_) {
        append_sliced(std::exchange(gathered_, {}), out);
    }
}

void ChunkCutter::finish(std::string& out) {
    append_sliced(std::exchange(gathered_, {}), out);
    if (framed_) {
        out += kLastChunk;
    }
}

AnswerWriter::AnswerWriter(http::Exchange& exchange, Fault fault)
    : exchange_(exchange),
      fault_(std::move(fault)),
      cutter_(fault_.chunk_bytes, fault_.slice_bytes, exchange.head().minor_version >= 1) {
    if (is_cut()) {
        cut_at_ = fault_.cut_bytes;
    }
}

http::Awaitable<error_code> AnswerWriter::before_head() {
    const error_code ec = co_await pause(fault_.head_delay);
    co_return ec;
}

http::Awaitable<error_code> AnswerWriter::respond(const http::Response& response) {
    const std::string fields = field_lines(response);
    error_code ec;
    if (is_cut()) {
        pending_ = head(response.status, fields, response.body.size());
        mark_event();
        pending_ += response.body;
        ++events_;
        mark_event();
        ec = co_await send_cut();
    } else if (fault_.body_delay.count() > 0) {
        const http::BodyFraming body{http::BodyKind::length, response.body.size()};
        const http::Exchange::Start start{response.status, {}, fields, body};
        ec = co_await exchange_.start(start, kNothing, kNothing);
        pending_ = response.body;
        if (!ec) {
            ec = co_await send();
        }
        if (!ec) {
            ec = co_await exchange_.finish();
        }
    } else {
        ec = co_await exchange_.respond(response);
    }
    if (fault_.close_after) {
        exchange_.close_after(false);
    }
    co_return ec;
}

http::Awaitable<error_code> AnswerWriter::start_events() {
    if (is_cut()) {
        pending_ = head(200, kEventFields, std::nullopt);
        mark_event();
        const error_code cut = co_await send_cut();
        co_return cut;
    }
    const http::BodyFraming body{http::BodyKind::chunked, 0};
    const http::Exchange::Start start{200, {}, kEventFields, body};
    const error_code ec = co_await exchange_.start(start, kNothing, kNothing);
    co_return ec;
}

void AnswerWriter::event(std::string_view text) {
    cutter_.add(text, pending_);
    ++events_;
    mark_event();
}

http::Awaitable<error_code> AnswerWriter::flush() {
    error_code ec;
    if (!pending_.empty()) {
        ec = co_await send();
    }
    co_return ec;
}

http::Awaitable<error_code> AnswerWriter::finish() {
    cutter_.finish(pending_);
    error_code ec = co_await send();
    if (!ec) {
        ec = co_await exchange_.finish();
    }
    if (fault_.close_after) {
        exchange_.close_after(false);
    }
    co_return ec;
}

/// An answer that is cut behind an event ends with the bytes that are there by now.
void AnswerWriter::mark_event() {
    if (is_cut() && !cut_at_ && fault_.cut_events && events_ >= *fault_.cut_events) {
        cut_at_ = bytes_ + pending_.size();
    }
}

std::string AnswerWriter::head(unsigned status, std::string_view fields, std::optional<std::size_t> length)
    const {
    std::string out;
    http::HeadBuilder builder(out);
    builder.status_line(status);
    builder.add("Date", http::http_date());
    out += fields;
    if (length) {
        builder.add("Content-Length", std::uint64_t{*length});
    } else if (exchange_.head().minor_version >= 1) {
        builder.add("Transfer-Encoding", "chunked");
    }
    builder.finish();
    return out;
}

http::Awaitable<error_code> AnswerWriter::pause(std::chrono::milliseconds time) {
    error_code ec;
    if (time.count() > 0 && !exchange_.client_gone()) {
        http::Timer timer(exchange_.executor(), time);
        const auto [waited] = co_await timer.async_wait(http::as_result);
        ec = waited;
    }
    if (exchange_.client_gone()) {
        ec = Errc::client_gone;
    }
    co_return ec;
}

/// Sends what is pending of the body.
http::Awaitable<error_code> AnswerWriter::send() {
    error_code ec;
    if (!std::exchange(body_begun_, true)) {
        ec = co_await pause(fault_.body_delay);
    }
    if (!ec && is_cut()) {
        ec = co_await send_cut();
    } else if (!ec) {
        const http::Pieces pieces = pieces_of(pending_);
        ec = co_await exchange_.write(pieces, pieces);
        bytes_ += pending_.size();
        pending_.clear();
    }
    co_return ec;
}

/// Sends what is pending up to the cut, and makes the cut when it is reached.
http::Awaitable<error_code> AnswerWriter::send_cut() {
    const bool reached = cut_at_ && bytes_ + pending_.size() >= *cut_at_;
    if (reached) {
        pending_.resize(*cut_at_ - bytes_);
    }
    error_code ec = co_await exchange_.write_raw(pending_);
    bytes_ += pending_.size();
    pending_.clear();
    if (!ec && reached) {
        ec = co_await end_cut();
    }
    co_return ec;
}

http::Awaitable<error_code> AnswerWriter::end_cut() {
    if (fault_.cut == Fault::Cut::stall) {
        co_await pause(std::chrono::hours{24});
    } else {
        exchange_.close_after(fault_.cut == Fault::Cut::reset);
    }
    co_return http::asio::error::operation_aborted;
}

}  // namespace warmlane::sim
