#pragma once

#include "warmlane/core/endpoint.hpp"
#include "warmlane/http/types.hpp"
#include "warmlane/http/upstream.hpp"
#include "warmlane/proxy/proxy_handler.hpp"

#include <boost/asio/executor_work_guard.hpp>

#include <thread>

namespace warmlane::app {

/// One I/O thread: its event loop, its connections to the endpoints, and its handler of requests.
class Worker {
public:
    Worker(
        const http::UpstreamOptions& upstream,
        const proxy::ProxyOptions& options,
        const proxy::ProxyServices& services
    );
    /// Ends the thread if it runs.
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    http::asio::io_context& context() { return context_; }
    http::Handler& handler() { return handler_; }

    void start();
    /// Hands the thread a new picture of the pool; any thread.
    void post_pool(PoolSnapshotPtr pool);
    /// Ends the loop, whatever it has left to do, and waits for the thread.
    void stop();

private:
    http::asio::io_context context_{1};
    http::asio::executor_work_guard<http::Executor> work_;
    http::UpstreamPool upstreams_;
    proxy::ProxyHandler handler_;
    std::thread thread_;
};

}  // namespace warmlane::app
