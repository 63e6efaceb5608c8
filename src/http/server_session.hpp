#pragma once

#include "deadline.hpp"
#include "event.hpp"
#include "input_buffer.hpp"
#include "response_writer.hpp"

#include "warmlane/http/exchange.hpp"
#include "warmlane/http/head_parser.hpp"
#include "warmlane/http/server.hpp"

#include <boost/asio/cancellation_signal.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <unordered_set>

namespace warmlane::http {

class ServerSession;

/// The sessions of one worker; only that worker's thread looks at them.
struct SessionRegistry {
    std::unordered_set<ServerSession*> sessions;
    bool draining = false;
    /// Counts the open connections of the whole server.
    std::shared_ptr<std::atomic<std::size_t>> connections;
};

/// One connection of a client: requests in order, one exchange at a time. While an exchange runs, one read
/// stays pending, which notices the client's leaving at once and takes in the next pipelined request, up to
/// one buffer.
class ServerSession final : public Exchange, public std::enable_shared_from_this<ServerSession> {
public:
    /// `handler` outlives the session.
    ServerSession(
        Socket socket,
        Handler& handler,
        std::shared_ptr<const ServerOptions> options,
        std::shared_ptr<SessionRegistry> registry
    );
    ~ServerSession() override;

    void run();
    /// Ends an idle connection; a busy one ends after its answer.
    void drain();
    void close_now();
    /// Lets go of the coroutine, which else would keep the session, and itself, for ever; when the thread of
    /// the session runs no more.
    void abandon() { input_arrived_.abandon(); }

    const RequestHead& head() const override { return parser_.head(); }
    std::string_view client_address() const override { return client_address_; }
    bool client_gone() const override { return gone_; }
    std::chrono::steady_clock::time_point received_at() const override { return received_at_; }
    Awaitable<Result<std::string_view>> read_body(std::size_t limit) override;
    Awaitable<error_code> respond(const Response& response) override;
    Awaitable<error_code> start(Start start, const Pieces& content, const Pieces& wire) override;
    Awaitable<error_code> write(const Pieces& content, const Pieces& wire) override;
    Awaitable<error_code> inject(std::string_view content) override;
    Awaitable<error_code> finish() override;
    bool response_started() const override { return writer_.started(); }
    unsigned response_status() const override { return writer_.status(); }
    std::uint64_t bytes_sent() const override { return writer_.bytes(); }
    Awaitable<error_code> write_raw(std::string_view bytes) override;
    void close_after(bool reset) override;
    Executor executor() const override { return executor_; }

private:
    enum class BodyState : std::uint8_t { unread, reading, read };

    Awaitable<void> serve();
    Awaitable<bool> read_head();
    Awaitable<void> refuse(unsigned status, std::string_view reason);
    Awaitable<bool> more_input();
    Awaitable<error_code> read_length_body(std::uint64_t length);
    Awaitable<error_code> read_chunked_body(std::size_t limit);
    Awaitable<error_code> more_body_input(InputBuffer& into, std::size_t space);
    Awaitable<void> linger();
    void begin_exchange();
    bool end_exchange();
    bool closes_after_answer() const;
    void watch_client();
    void on_watch(error_code ec, std::size_t bytes);
    void on_deadline();
    void finish_socket();

    const Executor executor_;
    Handler& handler_;
    const std::shared_ptr<const ServerOptions> options_;
    const std::shared_ptr<SessionRegistry> registry_;

    Socket socket_;
    Deadline deadline_;
    Event input_arrived_;
    asio::cancellation_signal cancel_;
    RequestHeadParser parser_;
    ResponseWriter writer_;
    std::string client_address_;

    InputBuffer input_;
    InputBuffer body_{0};
    BodyState body_state_ = BodyState::read;
    /// Bytes at the front of `input_` that belong to the running exchange.
    std::size_t exchange_bytes_ = 0;
    std::chrono::steady_clock::time_point received_at_;
    bool in_exchange_ = false;
    bool watching_ = false;
    bool ended_ = false;
    bool gone_ = false;
    bool timed_out_ = false;
    bool close_after_ = false;
    bool reset_ = false;
};

}  // namespace warmlane::http
