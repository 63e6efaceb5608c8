#pragma once

#include "warmlane/core/clock.hpp"
#include "warmlane/core/endpoint.hpp"
#include "warmlane/datalayer/endpoint_pool.hpp"
#include "warmlane/datalayer/health.hpp"
#include "warmlane/http/types.hpp"
#include "warmlane/observability/metrics.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace warmlane::datalayer {

struct MetricsPollerOptions {
    /// Time between the starts of two scrapes of one endpoint; at least 10 ms.
    std::chrono::milliseconds interval{200};
    std::chrono::milliseconds timeout{1'000};
    /// A scrape older than this counts as unknown; the last values stay visible.
    std::chrono::milliseconds stale_after{2'000};
    /// Longest page that is read.
    std::size_t page_bytes_max = 16 * 1024 * 1024;
    /// Time between two readings of an endpoint's model list.
    std::chrono::milliseconds models_interval{10'000};
};

struct DataLayerOptions {
    MetricsPollerOptions metrics;
    HealthOptions health;
};

/// Keeps the picture of the pool fresh: resolves names, scrapes metrics, reads model lists, judges health,
/// probes what is down. Built, run and destroyed on the control thread; never called from the request path
/// except for `report`.
class DataLayer {
public:
    DataLayer(
        http::asio::io_context& control,
        DataLayerOptions options,
        EndpointPool::Listener& listener,
        observability::Metrics& metrics
    );
    ~DataLayer();
    DataLayer(const DataLayer&) = delete;
    DataLayer& operator=(const DataLayer&) = delete;

    /// Sets the membership; loops for new endpoints start, those of gone ones end.
    void set_endpoints(std::vector<EndpointSpec> specs);

    /// Ends all loops; their last completions still run on the control thread.
    void stop();

    /// A request's contact with an endpoint. Any thread; cheap when nothing changes (a success of an endpoint
    /// that has no failures on record returns at once).
    void report(const std::shared_ptr<Endpoint>& endpoint, Contact contact, std::string_view detail = {});

    const EndpointPool& pool() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace warmlane::datalayer
