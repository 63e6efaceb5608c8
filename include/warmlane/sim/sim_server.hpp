#pragma once

#include "warmlane/core/error.hpp"
#include "warmlane/http/types.hpp"
#include "warmlane/sim/simulated_engine.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace warmlane::sim {

struct SimServerOptions {
    std::string address = "127.0.0.1";
    /// 0 lets the system choose.
    std::uint16_t port = 0;
    /// What `/v1/models` says and what requests must name.
    std::string model = "warmlane-sim";
    EngineOptions engine;
    /// An idle connection is closed after this time, as uvicorn does.
    std::chrono::milliseconds keep_alive_timeout{5'000};
};

/// A simulated engine behind vLLM's HTTP surface. Runs wholly on the thread of `context`.
class SimServer {
public:
    SimServer(http::asio::io_context& context, SimServerOptions options);
    ~SimServer();
    SimServer(const SimServer&) = delete;
    SimServer& operator=(const SimServer&) = delete;

    error_code start();
    std::uint16_t port() const;
    /// Stops accepting and closes every connection.
    void stop();

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace warmlane::sim
