#pragma once

#include "warmlane/core/clock.hpp"
#include "warmlane/core/endpoint.hpp"
#include "warmlane/http/exchange.hpp"
#include "warmlane/observability/metrics.hpp"
#include "warmlane/routing/scheduler.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace warmlane::admin {

/// The configuration that is in force, and how it came to be.
struct ConfigurationReport {
    ConfigurationReport(std::string object) : json(std::move(object)) {}

    /// One JSON object, secrets hidden.
    std::string json;
    /// 1 is what the process started with; each reload adds one.
    std::uint64_t generation = 1;
    /// Why the last reload was refused; empty when it was not.
    std::string last_reload_error;
};

/// Where the admin port's answers come from; everything outlives the handler. Functions are called on its
/// thread.
struct AdminSources {
    std::function<PoolSnapshotPtr()> pool;
    routing::Scheduler& scheduler;
    observability::Metrics& metrics;
    std::function<ConfigurationReport()> configuration;
    /// Set when the process is going down.
    const std::atomic<bool>& shutting_down;
    /// Open connections of clients.
    std::function<std::size_t()> connections;
    /// Moment by which the age of metrics is judged.
    std::function<TimePoint()> now = std::chrono::steady_clock::now;
    /// Longest body of a request to be explained.
    std::size_t request_body_bytes_max = std::size_t{64} * 1024 * 1024;
};

/// What an answer of the admin port depends on.
struct AdminRequest {
    std::string_view method;
    /// Path and query string.
    std::string_view target;
    std::string_view body;
    /// Value of `x-session-id`.
    std::string_view session_id;
};

/// Serves the admin port: `/metrics`, `/health`, `/liveness`, `/readiness`, `/endpoints`, `/config` and
/// `/explain`. One thread.
class AdminHandler final : public http::Handler {
public:
    explicit AdminHandler(AdminSources sources) : sources_(std::move(sources)) {}

    http::Awaitable<void> handle(http::Exchange& exchange) override;

    /// The whole answer to one request. No I/O.
    http::Response answer(const AdminRequest& request) const;

private:
    using Answer = http::Response (AdminHandler::*)(const AdminRequest&) const;
    struct Route {
        std::string_view path;
        std::string_view method;
        Answer answer;
    };
    static const Route kRoutes[];

    http::Response metrics(const AdminRequest& request) const;
    http::Response liveness(const AdminRequest& request) const;
    http::Response readiness(const AdminRequest& request) const;
    http::Response endpoints(const AdminRequest& request) const;
    http::Response configuration(const AdminRequest& request) const;
    http::Response explain(const AdminRequest& request) const;

    const AdminSources sources_;
};

}  // namespace warmlane::admin
