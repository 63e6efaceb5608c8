#include "warmlane/app/worker.hpp"

#include "run_loop.hpp"

#include <boost/asio/post.hpp>

#include <utility>

namespace warmlane::app {

Worker::Worker(
    const http::UpstreamOptions& upstream,
    const proxy::ProxyOptions& options,
    const proxy::ProxyServices& services
)
    : work_(context_.get_executor()),
      upstreams_(context_, upstream),
      handler_(options, services, upstreams_) {}

Worker::~Worker() {
    stop();
}

void Worker::start() {
    thread_ = std::thread([this] { run_loop(context_); });
}

void Worker::post_pool(PoolSnapshotPtr pool) {
    http::asio::post(context_, [this, pool = std::move(pool)]() mutable {
        handler_.set_pool(std::move(pool));
    });
}

void Worker::stop() {
    context_.stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

}  // namespace warmlane::app
