#pragma once

#include "warmlane/core/endpoint.hpp"
#include "warmlane/core/error.hpp"
#include "warmlane/http/types.hpp"
#include "warmlane/sim/sim_server.hpp"

#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

namespace warmlane::app {

/// Simulated model servers inside this process, on a thread of their own and on ports that the system chose.
class DemoFleet {
public:
    DemoFleet() = default;
    ~DemoFleet();
    DemoFleet(const DemoFleet&) = delete;
    DemoFleet& operator=(const DemoFleet&) = delete;

    /// Starts `count` servers of one kind, named `sim-1`, `sim-2`, ...
    error_code start(std::size_t count, const sim::SimServerOptions& options = {});
    /// Where they are; after `start`.
    std::vector<EndpointSpec> endpoints() const;
    void stop();

private:
    http::asio::io_context context_{1};
    std::vector<std::unique_ptr<sim::SimServer>> servers_;
    std::thread thread_;
};

}  // namespace warmlane::app
