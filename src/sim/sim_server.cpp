#include "warmlane/sim/sim_server.hpp"

#include "sim_handler.hpp"

#include "warmlane/http/server.hpp"
#include "warmlane/observability/log.hpp"

#include <boost/asio/post.hpp>

#include <utility>
#include <vector>

namespace warmlane::sim {

struct SimServer::State : std::enable_shared_from_this<State> {
    State(http::asio::io_context& io, SimServerOptions wanted)
        : context(io), options(std::move(wanted)), reopen(io.get_executor()) {}

    error_code start();
    error_code listen(std::uint16_t on_port);
    void refuse(std::chrono::milliseconds time);
    void stop();

    http::asio::io_context& context;
    const SimServerOptions options;
    std::shared_ptr<SimHandler> handler;
    /// The last one accepts; earlier ones, which a fault has closed, still have connections.
    std::vector<std::unique_ptr<http::Server>> servers;
    std::uint16_t bound_port = 0;
    http::Timer reopen;
    bool stopped = false;
};

error_code SimServer::State::start() {
    auto on_refuse = [weak = weak_from_this()](std::chrono::milliseconds time) {
        if (const std::shared_ptr<State> state = weak.lock()) {
            state->refuse(time);
        }
    };
    handler = std::make_shared<SimHandler>(context.get_executor(), options, std::move(on_refuse));
    return listen(options.port);
}

error_code SimServer::State::listen(std::uint16_t on_port) {
    http::ServerOptions server_options;
    server_options.address = options.address;
    server_options.port = on_port;
    server_options.keep_alive_timeout = options.keep_alive_timeout;
    const std::vector<http::ServerWorker> workers{{&context, handler.get()}};
    auto server = std::make_unique<http::Server>(context, std::move(server_options), workers);
    const error_code ec = server->start();
    if (!ec) {
        bound_port = server->port();
        servers.push_back(std::move(server));
    }
    return ec;
}

/// Connections that are open stay open; attempts are refused until the time is over.
void SimServer::State::refuse(std::chrono::milliseconds time) {
    servers.back()->stop_accepting();
    reopen.expires_after(time);
    reopen.async_wait([self = shared_from_this()](error_code ec) {
        if (ec || self->stopped) {
            return;
        }
        std::erase_if(self->servers, [](const auto& server) { return server->connections() == 0; });
        const error_code failed = self->listen(self->bound_port);
        if (failed) {
            observability::log().error("a simulated server cannot listen again: {}", failed.message());
        }
    });
}

void SimServer::State::stop() {
    if (std::exchange(stopped, true) || !handler) {
        return;
    }
    reopen.cancel();
    handler->stop();
    for (const std::unique_ptr<http::Server>& server : servers) {
        server->stop_accepting();
        server->close_all();
    }
    // Sessions refer to the handler until they are closed, which happens in handlers queued before this one.
    http::asio::post(context, [self = shared_from_this()] {});
}

SimServer::SimServer(http::asio::io_context& context, SimServerOptions options)
    : state_(std::make_shared<State>(context, std::move(options))) {}

SimServer::~SimServer() {
    stop();
}

error_code SimServer::start() {
    return state_->start();
}

std::uint16_t SimServer::port() const {
    return state_->bound_port;
}

void SimServer::stop() {
    state_->stop();
}

}  // namespace warmlane::sim
