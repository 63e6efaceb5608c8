#pragma once

#include "warmlane/core/endpoint.hpp"
#include "warmlane/datalayer/data_layer.hpp"
#include "warmlane/http/server.hpp"
#include "warmlane/http/upstream.hpp"
#include "warmlane/observability/log.hpp"
#include "warmlane/proxy/proxy_handler.hpp"
#include "warmlane/routing/scheduling_config.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace warmlane::config {

/// Everything that a gateway is started with: the options of the rooms below, in one place.
struct Config {
    Config() {
        listen.port = 30'000;
        admin.port = 29'000;
    }

    routing::SchedulingConfig scheduling = routing::SchedulingConfig::default_config();
    http::ServerOptions listen;
    http::ServerOptions admin;
    std::vector<EndpointSpec> endpoints;
    datalayer::DataLayerOptions data_layer;
    http::UpstreamOptions upstream;
    proxy::ProxyOptions proxy;
    observability::LogOptions log;
    /// How long running requests may go on after the first signal.
    std::chrono::milliseconds shutdown_grace{30'000};
    /// Workers; 0 means one for each processor.
    std::uint32_t threads = 0;
    /// Simulated model servers inside the process, besides `endpoints`.
    std::uint32_t demo = 0;

    /// This configuration as one JSON object, secrets hidden; for people who ask the running process.
    std::string effective_json;
};

}  // namespace warmlane::config
