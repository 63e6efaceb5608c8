#pragma once

#include "fake_clock.hpp"

#include "warmlane/core/endpoint.hpp"

#include <initializer_list>
#include <memory>
#include <string>

namespace warmlane::test {

/// A pool of endpoints `a`, `b`, `c`, ... that are up and show an idle engine, to be changed at will.
class Fleet {
public:
    explicit Fleet(std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) {
            EndpointSpec spec;
            spec.name = std::string(1, static_cast<char>('a' + i));
            spec.host = "127.0.0.1";
            EndpointStatus& status = pool.endpoints.emplace_back();
            status.endpoint = std::make_shared<Endpoint>(spec, static_cast<std::uint32_t>(i));
            status.address = "127.0.0.1";
            show(i, 0, 0, 0);
        }
    }

    /// A scrape of endpoint `i`, read at this moment.
    EndpointMetrics& show(std::size_t i, double waiting, double running, double kv_usage) {
        EndpointStatus& status = pool.endpoints[i];
        EndpointMetrics& metrics = status.metrics.emplace();
        metrics.waiting = waiting;
        metrics.running = running;
        metrics.kv_usage = kv_usage;
        metrics.decided_at_scrape = status.endpoint->decided_requests;
        status.metrics_time = clock.now();
        return metrics;
    }

    Endpoint& endpoint(std::size_t i) { return *pool.endpoints[i].endpoint; }

    FakeClock clock;
    PoolSnapshot pool;
};

}  // namespace warmlane::test
