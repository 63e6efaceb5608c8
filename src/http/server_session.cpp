#include "server_session.hpp"

#include "warmlane/observability/log.hpp"
#include "warmlane/openai/error_body.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>

#include <exception>

namespace warmlane::http {
namespace {

constexpr std::size_t kFirstInputBytes = 8 * 1024;
/// Free space that an exchange finds behind its head, so that reads never move the head.
constexpr std::size_t kRoomBehindHead = 1024;
constexpr std::size_t kLingerBytesMax = 1024 * 1024;
constexpr std::chrono::seconds kLingerTime{2};

std::string address_of(const Socket& socket) {
    error_code ec;
    const auto remote = socket.remote_endpoint(ec);
    return ec ? std::string("unknown") : remote.address().to_string();
}

}  // namespace

ServerSession::ServerSession(
    Socket socket,
    Handler& handler,
    std::shared_ptr<const ServerOptions> options,
    std::shared_ptr<SessionRegistry> registry
)
    : executor_(socket.get_executor()),
      handler_(handler),
      options_(std::move(options)),
      registry_(std::move(registry)),
      socket_(std::move(socket)),
      deadline_(executor_),
      input_arrived_(executor_),
      parser_(options_->head),
      writer_(socket_, deadline_, options_->write_timeout),
      client_address_(address_of(socket_)),
      input_(kFirstInputBytes) {
    registry_->sessions.insert(this);
}

ServerSession::~ServerSession() {
    registry_->sessions.erase(this);
    --*registry_->connections;
}

void ServerSession::run() {
    error_code ignored;
    socket_.non_blocking(true, ignored);
    socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
    deadline_.bind(weak_from_this(), [this] { on_deadline(); });
    auto on_end = [self = shared_from_this()](std::exception_ptr failure) {
        if (failure) {
            observability::log().error("a connection ended with an unexpected exception");
        }
        self->finish_socket();
    };
    asio::co_spawn(executor_, serve(), asio::bind_cancellation_slot(cancel_.slot(), std::move(on_end)));
}

Awaitable<void> ServerSession::serve() {
    co_await asio::this_coro::throw_if_cancelled(false);
    bool again = true;
    while (again) {
        const bool ready = co_await read_head();
        if (!ready) {
            break;
        }
        begin_exchange();
        co_await handler_.handle(*this);
        again = end_exchange();
    }
    co_await linger();
}

Awaitable<bool> ServerSession::read_head() {
    parser_.reset();
    bool begun = input_.size() > 0;
    received_at_ = std::chrono::steady_clock::now();
    deadline_.set(received_at_ + (begun ? options_->head_timeout : options_->keep_alive_timeout));
    while (!ended_ && !(registry_->draining && !begun)) {
        if (begun) {
            const HeadProgress progress = parser_.parse(input_.view());
            if (progress == HeadProgress::complete) {
                deadline_.clear();
                co_return true;
            }
            if (progress == HeadProgress::invalid) {
                co_await refuse(parser_.status(), parser_.reason());
                co_return false;
            }
        }
        const bool more = co_await more_input();
        if (more && !begun) {
            begun = true;
            received_at_ = std::chrono::steady_clock::now();
            deadline_.set(received_at_ + options_->head_timeout);
        }
    }
    if (timed_out_ && begun) {
        co_await refuse(408, "the request head came too slowly");
    }
    co_return false;
}

Awaitable<void> ServerSession::refuse(unsigned status, std::string_view reason) {
    writer_.reset(RequestHead{});
    body_state_ = BodyState::unread;
    Response response{
        .status = status, .fields = {}, .body = openai::error_body(reason, "invalid_request_error")
    };
    if (status == 405) {
        response.fields.push_back({"Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"});
    }
    [[maybe_unused]] const error_code ec = co_await writer_.respond(response, true);
}

Awaitable<bool> ServerSession::more_input() {
    if (watching_) {
        co_await input_arrived_.wait();
        co_return !ended_;
    }
    input_.make_room(kRoomBehindHead * 2);
    const auto [ec, bytes] = co_await socket_.async_read_some(input_.free_space(), as_result);
    input_.commit(bytes);
    ended_ = ended_ || ec;
    co_return !ec;
}

void ServerSession::begin_exchange() {
    if (!watching_ && input_.space() < kRoomBehindHead) {
        // The head moves with the buffer, so its views are made anew.
        input_.make_room(kRoomBehindHead);
        parser_.reset();
        parser_.parse(input_.view());
    }
    in_exchange_ = true;
    exchange_bytes_ = parser_.size();
    body_state_ = BodyState::unread;
    writer_.reset(head());
    if (head().body.kind == BodyKind::none) {
        body_state_ = BodyState::read;
    }
}

bool ServerSession::end_exchange() {
    in_exchange_ = false;
    const bool again =
        writer_.complete() && !closes_after_answer() && !ended_ && !writer_.ends_with_connection();
    input_.consume(exchange_bytes_);
    exchange_bytes_ = 0;
    body_ = InputBuffer{0};
    return again;
}

bool ServerSession::closes_after_answer() const {
    // A client of HTTP/1.0 gets no persistence: a gateway cannot know who else stands in between.
    return close_after_ || registry_->draining || !head().keep_alive || head().minor_version == 0 ||
           body_state_ != BodyState::read;
}

void ServerSession::watch_client() {
    if (watching_ || ended_ || input_.space() == 0) {
        return;
    }
    watching_ = true;
    socket_.async_read_some(
        input_.free_space(),
        [self = shared_from_this()](error_code ec, std::size_t bytes) { self->on_watch(ec, bytes); }
    );
}

void ServerSession::on_watch(error_code ec, std::size_t bytes) {
    watching_ = false;
    input_.commit(bytes);
    if (ec) {
        ended_ = true;
        if (in_exchange_) {
            gone_ = true;
            cancel_.emit(asio::cancellation_type::terminal);
        }
    } else if (in_exchange_ && body_state_ == BodyState::read) {
        watch_client();
    }
    input_arrived_.notify();
}

void ServerSession::on_deadline() {
    timed_out_ = true;
    error_code ignored;
    socket_.cancel(ignored);
}

void ServerSession::drain() {
    if (!in_exchange_ && input_.size() == 0) {
        error_code ignored;
        socket_.cancel(ignored);
    }
}

void ServerSession::close_now() {
    ended_ = true;
    gone_ = in_exchange_;
    error_code ignored;
    socket_.close(ignored);
    if (in_exchange_) {
        cancel_.emit(asio::cancellation_type::terminal);
    }
}

Awaitable<void> ServerSession::linger() {
    // Bytes that the client still sends would make the kernel answer with a reset, which may destroy our
    // answer before the client has read it. So its bytes are taken in for a while.
    if (ended_ || watching_ || body_state_ == BodyState::read || !socket_.is_open() || reset_) {
        co_return;
    }
    error_code ignored;
    socket_.shutdown(Socket::shutdown_send, ignored);
    deadline_.set(std::chrono::steady_clock::now() + kLingerTime);
    for (std::size_t taken = 0; taken < kLingerBytesMax && !ended_;) {
        input_.consume(input_.size());
        const std::size_t before = input_.size();
        const bool more = co_await more_input();
        if (!more) {
            break;
        }
        taken += input_.size() - before;
    }
}

void ServerSession::finish_socket() {
    deadline_.stop();
    error_code ignored;
    const bool cut_short = writer_.started() && !writer_.complete() && writer_.ends_with_connection();
    if (reset_ || cut_short) {
        socket_.set_option(asio::socket_base::linger(true, 0), ignored);
    } else {
        socket_.shutdown(Socket::shutdown_both, ignored);
    }
    socket_.close(ignored);
}

}  // namespace warmlane::http
