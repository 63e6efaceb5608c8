// What a handler asks of the session: the request's body and the answer.

#include "server_session.hpp"

#include "warmlane/http/body_decoder.hpp"

#include <algorithm>
#include <cstring>

namespace warmlane::http {
namespace {

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
constexpr std::size_t kFirstBodyBytes = 64 * 1024;

void append(InputBuffer& to, std::string_view bytes) {
    to.make_room(bytes.size());
    if (!bytes.empty()) {
        std::memcpy(to.free_space().data(), bytes.data(), bytes.size());
    }
    to.commit(bytes.size());
}

}  // namespace

Awaitable<Result<std::string_view>> ServerSession::read_body(std::size_t limit) {
    const BodyFraming framing = head().body;
    if (framing.kind == BodyKind::length && framing.length > limit) {
        co_return Errc::body_too_large;
    }
    const bool nothing_came = input_.size() == parser_.size();
    if (head().expects_continue && nothing_came && framing.kind != BodyKind::none) {
        const error_code ec = co_await writer_.write_raw(kContinue);
        if (ec) {
            co_return Errc::client_gone;
        }
    }
    std::string_view body;
    if (framing.kind != BodyKind::none) {
        body_state_ = BodyState::reading;
        error_code ec;
        if (framing.kind == BodyKind::length) {
            ec = co_await read_length_body(framing.length);
        } else {
            ec = co_await read_chunked_body(limit);
        }
        deadline_.clear();
        if (ec) {
            co_return ec;
        }
        body_state_ = BodyState::read;
        const bool in_place = framing.kind == BodyKind::length && body_.size() == 0;
        body = in_place ? input_.view().substr(parser_.size(), framing.length) : body_.view();
    }
    watch_client();
    co_return body;
}

Awaitable<error_code> ServerSession::read_length_body(std::uint64_t length) {
    const auto behind_head = [this] { return input_.view().substr(parser_.size()); };
    if (watching_ && behind_head().size() < length) {
        co_await input_arrived_.wait();
    }
    if (behind_head().size() >= length) {
        exchange_bytes_ = parser_.size() + length;
        co_return error_code{};
    }
    append(body_, behind_head());
    input_.truncate(parser_.size());
    while (body_.size() < length) {
        const std::size_t missing = length - body_.size();
        const std::size_t space = std::min(missing, std::max(kFirstBodyBytes, body_.size()));
        const error_code ec = co_await more_body_input(body_, space);
        if (ec) {
            co_return ec;
        }
    }
    co_return error_code{};
}

Awaitable<error_code> ServerSession::read_chunked_body(std::size_t limit) {
    BodyDecoder decoder;
    decoder.start(head().body);
    std::size_t used = parser_.size();
    while (true) {
        while (used < input_.size() && decoder.state() == BodyDecoder::State::more) {
            Pieces content;
            Pieces wire;
            used += decoder.feed(input_.view().substr(used), content, wire);
            if (body_.size() + content.bytes() > limit) {
                co_return Errc::body_too_large;
            }
            for (const std::string_view piece : content) {
                append(body_, piece);
            }
        }
        if (decoder.state() != BodyDecoder::State::more) {
            exchange_bytes_ = used;
            const bool done = decoder.state() == BodyDecoder::State::done;
            co_return done ? error_code{} : make_error_code(Errc::bad_request_body);
        }
        error_code ec;
        if (watching_) {
            co_await input_arrived_.wait();
        } else {
            input_.truncate(parser_.size());
            used = parser_.size();
            ec = co_await more_body_input(input_, input_.space());
        }
        if (ec) {
            co_return ec;
        }
    }
}

/// Reads up to `space` bytes behind what `into` holds; `input_` is never moved by this.
Awaitable<error_code> ServerSession::more_body_input(InputBuffer& into, std::size_t space) {
    if (ended_) {
        gone_ = true;
        co_return Errc::client_gone;
    }
    into.make_room(space);
    deadline_.set(std::chrono::steady_clock::now() + options_->body_timeout);
    const asio::mutable_buffer buffer = into.free_space();
    const auto [ec, bytes] = co_await socket_.async_read_some(asio::buffer(buffer, space), as_result);
    into.commit(bytes);
    if (!ec) {
        co_return error_code{};
    }
    if (timed_out_) {
        co_return Errc::client_too_slow;
    }
    ended_ = true;
    gone_ = true;
    co_return Errc::client_gone;
}

Awaitable<error_code> ServerSession::respond(const Response& response) {
    const bool close = closes_after_answer();
    const error_code ec = co_await writer_.respond(response, close);
    co_return ec;
}

Awaitable<error_code> ServerSession::start(Start start, const Pieces& content, const Pieces& wire) {
    const bool close = closes_after_answer();
    const error_code ec = co_await writer_.start(start, content, wire, close);
    co_return ec;
}

Awaitable<error_code> ServerSession::write(const Pieces& content, const Pieces& wire) {
    const error_code ec = co_await writer_.write(content, wire);
    co_return ec;
}

Awaitable<error_code> ServerSession::inject(std::string_view content) {
    const error_code ec = co_await writer_.inject(content);
    co_return ec;
}

Awaitable<error_code> ServerSession::finish() {
    const error_code ec = co_await writer_.finish();
    co_return ec;
}

Awaitable<error_code> ServerSession::write_raw(std::string_view bytes) {
    close_after_ = true;
    const error_code ec = co_await writer_.write_raw(bytes);
    co_return ec;
}

void ServerSession::close_after(bool reset) {
    close_after_ = true;
    reset_ = reset;
}

}  // namespace warmlane::http
