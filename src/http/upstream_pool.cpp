#include "upstream_connection.hpp"

#include "warmlane/http/upstream.hpp"

#include <chrono>
#include <deque>
#include <map>
#include <utility>

namespace warmlane::http {

struct UpstreamPool::State : std::enable_shared_from_this<State> {
    using Clock = std::chrono::steady_clock;
    using Key = asio::ip::tcp::endpoint;
    struct Idle {
        std::shared_ptr<TcpUpstreamConnection> connection;
        Clock::time_point since;
    };

    State(asio::io_context& loop, UpstreamOptions wanted)
        : context(loop), options(wanted), sweep_timer(loop.get_executor()) {}

    std::shared_ptr<TcpUpstreamConnection> take_idle(const Key& key);
    void put_idle(std::shared_ptr<TcpUpstreamConnection> connection);
    void sweep();
    void sweep_later();

    asio::io_context& context;
    const UpstreamOptions options;
    /// Oldest first.
    std::map<Key, std::deque<Idle>> idle;
    Timer sweep_timer;
    bool sweeping = false;
};

std::shared_ptr<TcpUpstreamConnection> UpstreamPool::State::take_idle(const Key& key) {
    const auto found = idle.find(key);
    if (found == idle.end()) {
        return nullptr;
    }
    const auto oldest_allowed = Clock::now() - options.keep_alive_timeout;
    std::deque<Idle>& connections = found->second;
    while (!connections.empty()) {
        // The one used last is the least likely to have been closed meanwhile.
        const Idle last = std::move(connections.back());
        connections.pop_back();
        if (last.since > oldest_allowed && last.connection->looks_alive()) {
            last.connection->mark_reused();
            return last.connection;
        }
        last.connection->close();
    }
    return nullptr;
}

void UpstreamPool::State::put_idle(std::shared_ptr<TcpUpstreamConnection> connection) {
    std::deque<Idle>& connections = idle[connection->endpoint()];
    if (!connection->reusable() || connections.size() >= options.idle_connections_max) {
        connection->close();
        return;
    }
    connections.push_back({std::move(connection), Clock::now()});
    sweep_later();
}

void UpstreamPool::State::sweep_later() {
    if (sweeping) {
        return;
    }
    sweeping = true;
    sweep_timer.expires_after(options.keep_alive_timeout / 4);
    sweep_timer.async_wait([weak = weak_from_this()](error_code ec) {
        const auto self = weak.lock();
        if (self && !ec) {
            self->sweeping = false;
            self->sweep();
        }
    });
}

void UpstreamPool::State::sweep() {
    const auto oldest_allowed = Clock::now() - options.keep_alive_timeout;
    for (auto entry = idle.begin(); entry != idle.end();) {
        std::deque<Idle>& connections = entry->second;
        while (!connections.empty() && connections.front().since <= oldest_allowed) {
            connections.front().connection->close();
            connections.pop_front();
        }
        entry = connections.empty() ? idle.erase(entry) : std::next(entry);
    }
    if (!idle.empty()) {
        sweep_later();
    }
}

UpstreamPool::UpstreamPool(asio::io_context& context, UpstreamOptions options)
    : state_(std::make_shared<State>(context, options)) {}

UpstreamPool::~UpstreamPool() {
    clear();
}

Awaitable<Result<UpstreamLease>> UpstreamPool::acquire(UpstreamAddress address, bool fresh) {
    const std::shared_ptr<State> state = state_;
    error_code ec;
    const auto ip = asio::ip::make_address(address.ip, ec);
    if (ec) {
        co_return Errc::connect_failed;
    }
    const State::Key endpoint(ip, address.port);
    if (!fresh) {
        if (auto connection = state->take_idle(endpoint)) {
            co_return UpstreamLease(std::move(connection));
        }
    }
    auto connection = std::make_shared<TcpUpstreamConnection>(state->context, state->options, endpoint);
    ec = co_await connection->connect();
    if (ec == asio::error::operation_aborted || ec == Errc::connect_timeout) {
        co_return ec;
    }
    if (ec) {
        co_return Errc::connect_failed;
    }
    co_return UpstreamLease(std::move(connection));
}

void UpstreamPool::release(UpstreamLease connection) {
    state_->put_idle(std::static_pointer_cast<TcpUpstreamConnection>(std::move(connection)));
}

void UpstreamPool::clear() {
    for (auto& [key, connections] : state_->idle) {
        for (State::Idle& idle : connections) {
            idle.connection->close();
        }
    }
    state_->idle.clear();
    state_->sweep_timer.cancel();
    state_->sweeping = false;
}

const UpstreamOptions& UpstreamPool::options() const {
    return state_->options;
}

}  // namespace warmlane::http
