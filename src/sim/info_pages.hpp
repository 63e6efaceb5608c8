#pragma once

#include "engine_driver.hpp"
#include "faults.hpp"
#include "response_store.hpp"

#include "warmlane/http/exchange.hpp"
#include "warmlane/sim/sim_server.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace warmlane::sim {

/// What the pages show and change; all of it outlives them.
struct SimPicture {
    const SimServerOptions& options;
    EngineDriver& driver;
    FaultSwitch& faults;
    const ResponseStore& responses;
    /// Unix time in seconds.
    double process_start_time = 0;
    /// Closes the listening socket for a time.
    std::function<void(std::chrono::milliseconds)> refuse;
};

/// Answers everything that is no inference call: models, health, metrics, tokens, the prefix cache, and the
/// simulator's own `/sim/...` pages. What it does not know gets FastAPI's 404 or 405.
class InfoPages {
public:
    explicit InfoPages(SimPicture picture) : picture_(std::move(picture)) {}

    http::Response answer(std::string_view method, std::string_view path, std::string_view body) const;

private:
    struct Page;
    static const Page* find(std::string_view method, std::string_view path, bool& path_known);

    http::Response models(std::string_view body) const;
    http::Response health(std::string_view body) const;
    http::Response version(std::string_view body) const;
    http::Response metrics(std::string_view body) const;
    http::Response tokenize(std::string_view body) const;
    http::Response reset_prefix_cache(std::string_view body) const;
    http::Response state(std::string_view body) const;
    http::Response show_faults(std::string_view body) const;
    http::Response set_faults(std::string_view body) const;
    http::Response stored_response(std::string_view id) const;

    SimPicture picture_;
};

}  // namespace warmlane::sim
