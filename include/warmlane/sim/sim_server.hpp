#pragma once

#include "warmlane/core/error.hpp"
#include "warmlane/http/types.hpp"
#include "warmlane/sim/simulated_engine.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace warmlane::sim {

struct SimServerOptions {
    /// Address to listen on: an IP literal.
    std::string address = "127.0.0.1";
    /// 0 lets the system choose.
    std::uint16_t port = 0;
    /// What `/v1/models` says and what requests must name.
    std::string model = "warmlane-sim";
    EngineOptions engine;
    /// Length of an answer when the request sets none; the model stops in the second half of it.
    std::uint32_t answer_tokens = 64;
    /// `usage` tells how many prompt tokens came from the cache.
    bool report_cached_tokens = true;
    /// `/health` answers 503 and requests are refused until this time has passed.
    std::chrono::milliseconds startup{0};
    /// An idle connection is closed after this time, as uvicorn does.
    std::chrono::milliseconds keep_alive_timeout{5'000};
    /// Bytes of a request's body.
    std::size_t body_bytes_max = std::size_t{64} * 1024 * 1024;
};

/// A simulated engine behind vLLM's HTTP surface; docs/simulator.md lists it. Runs wholly on the thread of
/// `context`, and is destroyed on it or when it runs no more.
class SimServer {
public:
    SimServer(http::asio::io_context& context, SimServerOptions options);
    ~SimServer();
    SimServer(const SimServer&) = delete;
    SimServer& operator=(const SimServer&) = delete;

    /// Binds, listens and accepts.
    error_code start();
    std::uint16_t port() const;
    /// Stops accepting and closes every connection.
    void stop();

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace warmlane::sim
