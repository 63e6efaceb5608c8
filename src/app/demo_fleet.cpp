#include "warmlane/app/demo_fleet.hpp"

#include "run_loop.hpp"

#include <string>

namespace warmlane::app {

DemoFleet::~DemoFleet() {
    stop();
}

error_code DemoFleet::start(std::size_t count, const sim::SimServerOptions& options) {
    for (std::size_t i = 0; i < count; ++i) {
        servers_.push_back(std::make_unique<sim::SimServer>(context_, options));
        const error_code ec = servers_.back()->start();
        if (ec) {
            return ec;
        }
    }
    if (count > 0) {
        thread_ = std::thread([this] { run_loop(context_); });
    }
    return {};
}

std::vector<EndpointSpec> DemoFleet::endpoints() const {
    std::vector<EndpointSpec> specs;
    for (const auto& server : servers_) {
        EndpointSpec spec;
        spec.name = "sim-" + std::to_string(specs.size() + 1);
        spec.host = "127.0.0.1";
        spec.port = server->port();
        specs.push_back(std::move(spec));
    }
    return specs;
}

void DemoFleet::stop() {
    context_.stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

}  // namespace warmlane::app
