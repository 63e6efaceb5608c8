#include "upstream_connection.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <algorithm>

namespace warmlane::http {
namespace {

constexpr std::size_t kFirstBufferBytes = 16 * 1024;
/// Space for a batch of the body behind the head.
constexpr std::size_t kBatchBytes = 8 * 1024;
constexpr int kInterimHeadsMax = 8;

}  // namespace

TcpUpstreamConnection::TcpUpstreamConnection(
    asio::io_context& context, const UpstreamOptions& options, asio::ip::tcp::endpoint endpoint
)
    : socket_(context.get_executor()),
      deadline_(context.get_executor()),
      options_(options),
      endpoint_(std::move(endpoint)),
      parser_(HeadLimits{.bytes = options.head_bytes_max, .fields = 500, .target_bytes = 0}),
      input_(kFirstBufferBytes) {}

Awaitable<error_code> TcpUpstreamConnection::connect() {
    deadline_.bind(weak_from_this(), [this] {
        expired_ = true;
        error_code ignored;
        socket_.close(ignored);
    });
    end_ = std::chrono::steady_clock::time_point::max();
    expire_after(options_.connect_timeout, Errc::connect_timeout);
    const auto [ec] = co_await socket_.async_connect(endpoint_, as_result);
    deadline_.clear();
    if (ec) {
        co_return expired_ ? make_error_code(Errc::connect_timeout) : ec;
    }
    error_code ignored;
    socket_.non_blocking(true, ignored);
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    co_return error_code{};
}

bool TcpUpstreamConnection::looks_alive() {
    char byte = 0;
    error_code ec;
    socket_.receive(asio::buffer(&byte, 1), asio::socket_base::message_peek, ec);
    return ec == asio::error::would_block;
}

void TcpUpstreamConnection::begin() {
    ++exchange_;
    const auto now = std::chrono::steady_clock::now();
    end_ = std::min(now + options_.total_timeout, wanted_end_);
    wanted_end_ = std::chrono::steady_clock::time_point::max();
    input_.consume(input_.size());
    input_.make_room(kFirstBufferBytes);
    parser_.reset();
    taken_ = head_bytes_ = 0;
    bytes_received_ = 0;
    sent_all_ = early_answer_ = head_read_ = false;
}

void TcpUpstreamConnection::expire_after(std::chrono::milliseconds time, Errc reason) {
    const auto at = std::chrono::steady_clock::now() + time;
    expiry_ = at < end_ ? reason : Errc::total_timeout;
    deadline_.set(std::min(at, end_));
}

error_code TcpUpstreamConnection::why(error_code ec) const {
    if (expired_) {
        return expiry_;
    }
    return ec == asio::error::operation_aborted ? ec : make_error_code(Errc::upstream_closed);
}

Awaitable<error_code> TcpUpstreamConnection::send(std::string_view head, std::string_view body) {
    begin();
    expire_after(options_.idle_timeout, Errc::idle_timeout);
    const Buffers buffers{asio::buffer(head), asio::buffer(body)};
    error_code ec;
    const std::size_t sent = socket_.write_some(buffers, ec);
    if (ec && ec != asio::error::would_block) {
        // The endpoint may have answered before it closed; `read_head` finds out.
        co_return error_code{};
    }
    if (sent == head.size() + body.size()) {
        sent_all_ = true;
        co_return error_code{};
    }
    co_await send_rest(buffers, sent);
    co_return expired_ ? make_error_code(expiry_) : error_code{};
}

Awaitable<void> TcpUpstreamConnection::send_rest(Buffers buffers, std::size_t sent) {
    watch_for_early_answer();
    const std::size_t total = asio::buffer_size(buffers);
    while (sent < total && !early_answer_) {
        const std::size_t head_size = buffers[0].size();
        const Buffers rest{buffers[0] + sent, buffers[1] + (sent > head_size ? sent - head_size : 0)};
        const auto [ec, bytes] = co_await socket_.async_write_some(rest, as_result);
        sent += bytes;
        if (ec) {
            break;
        }
        expire_after(options_.idle_timeout, Errc::idle_timeout);
    }
    sent_all_ = sent == total;
    if (!early_answer_) {
        // Ends the watch; there is nothing else to cancel.
        error_code ignored;
        socket_.cancel(ignored);
    }
}

void TcpUpstreamConnection::watch_for_early_answer() {
    auto on_readable = [self = shared_from_this(), exchange = exchange_](error_code ec) {
        if (!ec && exchange == self->exchange_ && !self->sent_all_) {
            self->early_answer_ = true;
            error_code ignored;
            self->socket_.cancel(ignored);
        }
    };
    socket_.async_wait(Socket::wait_read, std::move(on_readable));
}

Awaitable<error_code> TcpUpstreamConnection::read_more() {
    const auto [ec, bytes] = co_await socket_.async_read_some(input_.free_space(), as_result);
    input_.commit(bytes);
    bytes_received_ += bytes;
    co_return ec;
}

Awaitable<Result<const ResponseHead*>> TcpUpstreamConnection::read_head(bool to_head_request) {
    expire_after(options_.first_byte_timeout, Errc::first_byte_timeout);
    int interim = 0;
    while (true) {
        const HeadProgress progress = parser_.parse(input_.view(), to_head_request);
        if (progress == HeadProgress::invalid) {
            co_return Errc::bad_response;
        }
        if (progress == HeadProgress::complete) {
            if (parser_.head().status >= 200) {
                break;
            }
            if (++interim > kInterimHeadsMax || parser_.head().status == 101) {
                co_return Errc::bad_response;
            }
            input_.consume(parser_.size());
            parser_.reset();
            continue;
        }
        input_.make_room(kBatchBytes);
        const error_code ec = co_await read_more();
        if (ec) {
            co_return why(ec);
        }
    }
    if (input_.space() < kBatchBytes) {
        input_.make_room(kBatchBytes);
        parser_.reset();
        parser_.parse(input_.view(), to_head_request);
    }
    head_read_ = true;
    taken_ = head_bytes_ = parser_.size();
    decoder_.start(parser_.head().body);
    co_return &parser_.head();
}

Result<BodyProgress> TcpUpstreamConnection::take_buffered(Pieces& content, Pieces& wire) {
    content.clear();
    wire.clear();
    while (taken_ < input_.size() && decoder_.state() == BodyDecoder::State::more && !content.full()) {
        const std::size_t used = decoder_.feed(input_.view().substr(taken_), content, wire);
        taken_ += used;
        if (used == 0 || wire.full()) {
            break;
        }
    }
    if (decoder_.state() == BodyDecoder::State::invalid) {
        return Errc::bad_response;
    }
    if (decoder_.state() == BodyDecoder::State::done) {
        deadline_.clear();
        return BodyProgress::complete;
    }
    return BodyProgress::more;
}

Result<BodyProgress> TcpUpstreamConnection::buffered_body(Pieces& content, Pieces& wire) {
    return take_buffered(content, wire);
}

Awaitable<Result<BodyProgress>> TcpUpstreamConnection::read_body(Pieces& content, Pieces& wire) {
    expire_after(options_.idle_timeout, Errc::idle_timeout);
    while (true) {
        const Result<BodyProgress> taken = take_buffered(content, wire);
        if (taken.has_error() || *taken == BodyProgress::complete || !wire.empty() || !content.empty()) {
            co_return taken;
        }
        input_.truncate(head_bytes_);
        taken_ = head_bytes_;
        const error_code ec = co_await read_more();
        if (ec == asio::error::eof) {
            decoder_.close();
        }
        if (ec && decoder_.state() != BodyDecoder::State::done) {
            co_return why(ec);
        }
    }
}

bool TcpUpstreamConnection::reusable() const {
    return head_read_ && sent_all_ && socket_.is_open() && parser_.head().keep_alive &&
           parser_.head().body.kind != BodyKind::until_close &&
           decoder_.state() == BodyDecoder::State::done && taken_ == input_.size();
}

void TcpUpstreamConnection::close() {
    deadline_.stop();
    error_code ignored;
    socket_.close(ignored);
}

}  // namespace warmlane::http
