#pragma once

#include "warmlane/core/error.hpp"
#include "warmlane/http/exchange.hpp"
#include "warmlane/http/head_parser.hpp"
#include "warmlane/http/types.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace warmlane::http {

struct ServerOptions {
    /// Address to listen on: an IP literal.
    std::string address = "127.0.0.1";
    /// 0 lets the system choose; `Server::port()` tells.
    std::uint16_t port = 0;
    HeadLimits head;
    /// Connections at once; more are closed at once with a 503.
    std::size_t connections_max = 20'000;
    /// Time for a head, from its first byte to its last.
    std::chrono::milliseconds head_timeout{10'000};
    /// Longest pause while a body comes in.
    std::chrono::milliseconds body_timeout{30'000};
    /// How long a connection may be idle between two requests.
    std::chrono::milliseconds keep_alive_timeout{75'000};
    /// Longest time for the client to take one batch of an answer.
    std::chrono::milliseconds write_timeout{60'000};
};

/// A thread's event loop and what serves the connections that are dealt to it.
struct ServerWorker {
    asio::io_context* context = nullptr;
    Handler* handler = nullptr;
};

/// Accepts connections on one address and deals them to workers in turn. Constructed, driven and destroyed on
/// the control thread (that of `control`); sessions live on their workers. Destroyed only when the workers
/// run no more.
class Server {
public:
    Server(asio::io_context& control, ServerOptions options, const std::vector<ServerWorker>& workers);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Binds, listens and accepts.
    error_code start();
    std::uint16_t port() const;

    /// Closes the listening socket; a connection attempt is refused from then on.
    void stop_accepting();
    /// Idle connections are closed; each busy one is closed after its answer, which says so.
    void drain();
    /// Every connection is closed at once.
    void close_all();
    /// Open connections; any thread.
    std::size_t connections() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace warmlane::http
