#include "warmlane/http/server.hpp"

#include "server_session.hpp"

#include "warmlane/observability/log.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/post.hpp>

#include <utility>

namespace warmlane::http {
namespace {

using Acceptor = asio::basic_socket_acceptor<asio::ip::tcp, Executor>;

constexpr int kBacklog = 4096;
constexpr std::chrono::milliseconds kAcceptPause{100};
constexpr std::string_view kTooMany =
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

/// The connection died between the handshake and the accept; the next one may be fine.
bool is_passing(error_code ec) {
    return ec == asio::error::connection_aborted || ec == asio::error::connection_reset ||
           ec == asio::error::interrupted || ec == asio::error::try_again;
}

}  // namespace

struct Server::State : std::enable_shared_from_this<State> {
    struct Worker {
        ServerWorker served;
        std::shared_ptr<SessionRegistry> registry;
    };

    State(asio::io_context& control, ServerOptions wanted, const std::vector<ServerWorker>& served)
        : options(std::move(wanted)), acceptor(control.get_executor()), pause(control.get_executor()) {
        for (const ServerWorker& worker : served) {
            workers.push_back({worker, std::make_shared<SessionRegistry>()});
            workers.back().registry->connections = connections;
        }
    }

    error_code listen();
    void accept();
    void on_accept(error_code ec, Socket socket, const Worker& worker);
    void for_each_worker(void (*action)(SessionRegistry&));

    const ServerOptions options;
    std::shared_ptr<std::atomic<std::size_t>> connections = std::make_shared<std::atomic<std::size_t>>(0);
    std::vector<Worker> workers;
    Acceptor acceptor;
    Timer pause;
    std::size_t next_worker = 0;
};

error_code Server::State::listen() {
    error_code ec;
    const auto address = asio::ip::make_address(options.address, ec);
    if (ec) {
        return ec;
    }
    const asio::ip::tcp::endpoint local(address, options.port);
    acceptor.open(local.protocol(), ec);
    if (!ec) {
        acceptor.set_option(asio::socket_base::reuse_address(true), ec);
    }
    if (!ec) {
        acceptor.bind(local, ec);
    }
    if (!ec) {
        acceptor.listen(kBacklog, ec);
    }
    return ec;
}

void Server::State::accept() {
    const Worker& worker = workers[next_worker++ % workers.size()];
    acceptor.async_accept(
        worker.served.context->get_executor(),
        [self = shared_from_this(), &worker](error_code ec, Socket socket) {
            self->on_accept(ec, std::move(socket), worker);
        }
    );
}

void Server::State::on_accept(error_code ec, Socket socket, const Worker& worker) {
    if (!acceptor.is_open()) {
        return;
    }
    if (ec && !is_passing(ec)) {
        // Out of descriptors or memory: trying again at once would only burn the processor.
        observability::log().warn("accepting a connection failed: {}", ec.message());
        pause.expires_after(kAcceptPause);
        pause.async_wait([self = shared_from_this()](error_code stopped) {
            if (!stopped && self->acceptor.is_open()) {
                self->accept();
            }
        });
        return;
    }
    if (!ec && *connections >= options.connections_max) {
        error_code ignored;
        socket.non_blocking(true, ignored);
        socket.write_some(asio::buffer(kTooMany), ignored);
    } else if (!ec) {
        ++*connections;
        auto begin = [self = shared_from_this(), &worker, socket = std::move(socket)]() mutable {
            std::shared_ptr<const ServerOptions> shared_options(self, &self->options);
            std::make_shared<ServerSession>(
                std::move(socket), *worker.served.handler, std::move(shared_options), worker.registry
            )
                ->run();
        };
        asio::post(worker.served.context->get_executor(), std::move(begin));
    }
    accept();
}

void Server::State::for_each_worker(void (*action)(SessionRegistry&)) {
    for (const Worker& worker : workers) {
        auto run = [self = shared_from_this(), registry = worker.registry, action] { action(*registry); };
        asio::post(worker.served.context->get_executor(), std::move(run));
    }
}

Server::Server(asio::io_context& control, ServerOptions options, const std::vector<ServerWorker>& workers)
    : state_(std::make_shared<State>(control, std::move(options), workers)) {}

Server::~Server() {
    stop_accepting();
    for (const State::Worker& worker : state_->workers) {
        std::vector<std::shared_ptr<ServerSession>> sessions;
        for (ServerSession* session : worker.registry->sessions) {
            sessions.push_back(session->shared_from_this());
        }
        for (const std::shared_ptr<ServerSession>& session : sessions) {
            session->abandon();
        }
    }
}

error_code Server::start() {
    const error_code ec = state_->listen();
    if (!ec) {
        state_->accept();
    }
    return ec;
}

std::uint16_t Server::port() const {
    error_code ec;
    const auto local = state_->acceptor.local_endpoint(ec);
    return ec ? std::uint16_t{0} : local.port();
}

void Server::stop_accepting() {
    error_code ignored;
    state_->acceptor.close(ignored);
    state_->pause.cancel();
}

void Server::drain() {
    state_->for_each_worker([](SessionRegistry& registry) {
        registry.draining = true;
        for (ServerSession* session : registry.sessions) {
            session->drain();
        }
    });
}

void Server::close_all() {
    state_->for_each_worker([](SessionRegistry& registry) {
        registry.draining = true;
        const std::vector<ServerSession*> sessions(registry.sessions.begin(), registry.sessions.end());
        for (ServerSession* session : sessions) {
            session->close_now();
        }
    });
}

std::size_t Server::connections() const {
    return *state_->connections;
}

}  // namespace warmlane::http
