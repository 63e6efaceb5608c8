#pragma once

#include "warmlane/core/clock.hpp"
#include "warmlane/core/endpoint.hpp"
#include "warmlane/datalayer/data_layer.hpp"
#include "warmlane/http/exchange.hpp"
#include "warmlane/http/upstream.hpp"
#include "warmlane/observability/metrics.hpp"
#include "warmlane/routing/scheduler.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace warmlane::proxy {

class ResponseOwners;

struct ProxyOptions {
    /// Longest body of a request.
    std::size_t request_body_bytes_max = 64 * 1024 * 1024;
    /// Further attempts after the first, each on another endpoint while there is one.
    std::uint32_t retries = 2;
    /// Tell clients who served them and why, in `x-warmlane-*` fields.
    bool debug_headers = false;
};

/// What all handlers of the process share; everything outlives them.
struct ProxyServices {
    routing::Scheduler& scheduler;
    datalayer::DataLayer& data_layer;
    observability::Metrics& metrics;
    ResponseOwners& response_owners;
    /// Set when the process is going down: readiness says so.
    const std::atomic<bool>& shutting_down;
    /// Requests finished, for the closing summary.
    std::atomic<std::uint64_t>& requests_served;
};

/// One request from its first byte to its last. One handler per worker, on that worker's thread.
class ProxyHandler final : public http::Handler {
public:
    /// `upstreams` is the worker's own pool and outlives the handler.
    ProxyHandler(ProxyOptions options, ProxyServices services, http::UpstreamPool& upstreams);
    ~ProxyHandler() override;

    /// The picture that decisions are made from, until the next one is set. On the worker's thread.
    void set_pool(PoolSnapshotPtr pool);

    http::Awaitable<void> handle(http::Exchange& exchange) override;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warmlane::proxy
