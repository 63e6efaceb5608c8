#pragma once

#include "warmlane/app/demo_fleet.hpp"
#include "warmlane/app/worker.hpp"
#include "warmlane/config/config.hpp"
#include "warmlane/core/clock.hpp"
#include "warmlane/datalayer/data_layer.hpp"
#include "warmlane/http/server.hpp"
#include "warmlane/observability/metrics.hpp"
#include "warmlane/proxy/response_owners.hpp"
#include "warmlane/routing/scheduler.hpp"

#include <boost/asio/signal_set.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warmlane::admin {
class AdminHandler;
}

namespace warmlane::app {

/// Exit codes of the process.
enum class ExitCode : int { clean = 0, run_time = 1, configuration = 2, bind = 3 };

/// Why the gateway could not start.
struct StartFailure {
    ExitCode code = ExitCode::run_time;
    std::string message;
};

/// How a run went, for its closing line.
struct RunSummary {
    std::uint64_t requests_served = 0;
    /// Connections that were still busy at the end of the grace period.
    std::size_t connections_cut = 0;
    Duration uptime{0};
};

/// The gateway: builds everything in order, runs it, takes it down in reverse.
class Application final : private datalayer::EndpointPool::Listener {
public:
    /// `configuration` has been validated.
    explicit Application(config::Config configuration);
    ~Application() override;
    Application(const Application&) = delete;
    Application& operator=(const Application&) = delete;

    /// Builds, binds and starts the threads; nothing is left running after a failure. On the control thread,
    /// which is the thread that calls `run`.
    std::optional<StartFailure> start();
    /// Serves until it is stopped.
    RunSummary run();
    /// The first call lets running requests finish within the grace period, the second ends at once. Any
    /// thread.
    void request_stop();
    /// SIGTERM and SIGINT call `request_stop` from here on.
    void stop_on_signals();

    /// What was bound; after `start`.
    std::uint16_t data_port() const { return data_server_->port(); }
    std::uint16_t admin_port() const { return admin_server_->port(); }
    /// Lines for people: where it listens, how it routes, what it serves.
    std::vector<std::string> banner() const;

private:
    void on_snapshot(const PoolSnapshotPtr& snapshot) override;
    void on_forget(const Endpoint& endpoint) override;

    std::optional<StartFailure> build_scheduler();
    std::optional<StartFailure> start_demo();
    std::optional<StartFailure> start_servers();
    void start_workers();
    void begin_drain();
    void end_now();
    http::Awaitable<void> wait_for_connections();
    void on_signal();

    const config::Config config_;
    const TimePoint started_ = std::chrono::steady_clock::now();
    observability::Metrics metrics_;
    std::unique_ptr<routing::Scheduler> scheduler_;
    proxy::ResponseOwners response_owners_;
    std::atomic<bool> shutting_down_{false};
    std::atomic<std::uint64_t> requests_served_{0};
    std::size_t connections_cut_ = 0;

    DemoFleet demo_;
    http::asio::io_context control_{1};
    std::unique_ptr<datalayer::DataLayer> data_layer_;
    std::vector<std::unique_ptr<Worker>> workers_;
    std::unique_ptr<admin::AdminHandler> admin_handler_;
    std::unique_ptr<http::Server> data_server_;
    std::unique_ptr<http::Server> admin_server_;
    std::unique_ptr<http::asio::basic_signal_set<http::Executor>> signals_;
};

}  // namespace warmlane::app
