#include "response_writer.hpp"

#include "warmlane/http/head_builder.hpp"
#include "warmlane/http/header_rules.hpp"

#include <boost/asio/write.hpp>
#include <fmt/format.h>

namespace warmlane::http {
namespace {

constexpr std::string_view kCrlf = "\r\n";
constexpr std::string_view kLastChunk = "0\r\n\r\n";

asio::const_buffer buffer_of(std::string_view text) {
    return {text.data(), text.size()};
}

bool has_no_body(unsigned status) {
    return status == 204 || status == 304;
}

}  // namespace

void ResponseWriter::reset(const RequestHead& request) {
    to_head_request_ = request.method == "HEAD";
    client_takes_chunks_ = request.minor_version >= 1;
    body_mode_ = BodyMode::none;
    complete_ = false;
    status_ = 0;
    bytes_ = 0;
}

ResponseWriter::BodyMode ResponseWriter::choose_mode(BodyFraming body) const {
    if (to_head_request_ || has_no_body(status_)) {
        return BodyMode::none;
    }
    switch (body.kind) {
        case BodyKind::none: return BodyMode::none;
        case BodyKind::length: return BodyMode::wire;
        case BodyKind::chunked: return client_takes_chunks_ ? BodyMode::wire : BodyMode::plain_until_close;
        case BodyKind::until_close:
            return client_takes_chunks_ ? BodyMode::chunks : BodyMode::plain_until_close;
    }
    return BodyMode::none;
}

void ResponseWriter::append_framing(BodyFraming body, bool close) {
    HeadBuilder builder(head_);
    const bool may_have_length = status_ != 204;
    if (body.kind == BodyKind::length && may_have_length) {
        builder.add("Content-Length", body.length);
    } else if (body.kind == BodyKind::none && !to_head_request_ && !has_no_body(status_)) {
        builder.add("Content-Length", std::uint64_t{0});
    } else if (client_takes_chunks_ && !has_no_body(status_) && body.kind != BodyKind::none) {
        builder.add("Transfer-Encoding", "chunked");
    }
    if (close || body_mode_ == BodyMode::plain_until_close) {
        builder.add("Connection", "close");
    }
    builder.finish();
}

Awaitable<error_code> ResponseWriter::respond(const Response& response, bool close) {
    status_ = response.status;
    head_.clear();
    HeadBuilder builder(head_);
    builder.status_line(response.status);
    builder.add("Date", http_date());
    if (!response.body.empty()) {
        builder.add("Content-Type", response.content_type);
    }
    for (const OwnedField& field : response.fields) {
        builder.add(field.name, field.value);
    }
    const BodyFraming body{BodyKind::length, response.body.size()};
    body_mode_ = choose_mode(body);
    append_framing(body, close);

    Buffers buffers;
    buffers.push_back(buffer_of(head_));
    if (body_mode_ == BodyMode::wire) {
        buffers.push_back(buffer_of(response.body));
    }
    const error_code ec = co_await send(buffers);
    complete_ = !ec;
    co_return ec;
}

Awaitable<error_code> ResponseWriter::start(
    Exchange::Start start, const Pieces& content, const Pieces& wire, bool close
) {
    status_ = start.status;
    head_.clear();
    HeadBuilder(head_).status_line(start.status, start.reason);
    head_ += start.fields;
    body_mode_ = choose_mode(start.body);
    append_framing(start.body, close);

    Buffers buffers;
    buffers.push_back(buffer_of(head_));
    append_body(buffers, content, wire);
    const error_code ec = co_await send(buffers);
    co_return ec;
}

Awaitable<error_code> ResponseWriter::write(const Pieces& content, const Pieces& wire) {
    Buffers buffers;
    append_body(buffers, content, wire);
    const error_code ec = co_await send(buffers);
    co_return ec;
}

Awaitable<error_code> ResponseWriter::inject(std::string_view content) {
    Buffers buffers;
    if (body_mode_ == BodyMode::wire || body_mode_ == BodyMode::chunks) {
        chunk_size_ = fmt::format("{:x}\r\n", content.size());
        buffers.push_back(buffer_of(chunk_size_));
        buffers.push_back(buffer_of(content));
        buffers.push_back(buffer_of(kCrlf));
    } else if (body_mode_ == BodyMode::plain_until_close) {
        buffers.push_back(buffer_of(content));
    }
    const error_code ec = co_await send(buffers);
    co_return ec;
}

Awaitable<error_code> ResponseWriter::finish() {
    Buffers buffers;
    if (body_mode_ == BodyMode::chunks) {
        buffers.push_back(buffer_of(kLastChunk));
    }
    const error_code ec = co_await send(buffers);
    complete_ = !ec;
    co_return ec;
}

Awaitable<error_code> ResponseWriter::write_raw(std::string_view bytes) {
    Buffers buffers;
    buffers.push_back(buffer_of(bytes));
    const error_code ec = co_await send(buffers);
    co_return ec;
}

void ResponseWriter::append_body(Buffers& out, const Pieces& content, const Pieces& wire) {
    const Pieces& pieces = body_mode_ == BodyMode::wire ? wire : content;
    if (body_mode_ == BodyMode::none || pieces.empty()) {
        return;
    }
    if (body_mode_ == BodyMode::chunks) {
        chunk_size_ = fmt::format("{:x}\r\n", pieces.bytes());
        out.push_back(buffer_of(chunk_size_));
    }
    for (const std::string_view piece : pieces) {
        out.push_back(buffer_of(piece));
    }
    if (body_mode_ == BodyMode::chunks) {
        out.push_back(buffer_of(kCrlf));
    }
}

Awaitable<error_code> ResponseWriter::send(Buffers buffers) {
    if (buffers.empty()) {
        co_return error_code{};
    }
    // Most answers fit the socket's buffer: then nothing needs to wait and no timer is touched.
    error_code ec;
    const std::size_t at_once = socket_.write_some(buffers, ec);
    bytes_ += at_once;
    if (ec && ec != asio::error::would_block) {
        co_return ec;
    }
    std::size_t skip = at_once;
    Buffers rest;
    for (const asio::const_buffer& buffer : buffers) {
        const std::size_t skipped = std::min(skip, buffer.size());
        skip -= skipped;
        if (skipped < buffer.size()) {
            rest.push_back(buffer + skipped);
        }
    }
    if (rest.empty()) {
        co_return error_code{};
    }
    deadline_.set(std::chrono::steady_clock::now() + write_timeout_);
    const auto [write_error, written] = co_await asio::async_write(socket_, rest, as_result);
    deadline_.clear();
    bytes_ += written;
    co_return write_error;
}

}  // namespace warmlane::http
