#include "warmlane/app/application.hpp"

#include "run_loop.hpp"

#include "warmlane/admin/admin_handler.hpp"
#include "warmlane/observability/log.hpp"
#include "warmlane/plugins/builtin.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <random>
#include <thread>
#include <utility>

namespace warmlane::app {
namespace {

namespace asio = http::asio;

constexpr std::chrono::milliseconds kDrainPoll{10};
/// After the cut, sockets get this long to close properly.
constexpr std::chrono::milliseconds kCloseTime{200};

std::size_t threads_of(const config::Config& config) {
    const std::size_t all = std::max(1U, std::thread::hardware_concurrency());
    return config.threads > 0 ? config.threads : all;
}

std::string url_of(const std::string& address, std::uint16_t port) {
    const bool literal_v6 = address.find(':') != std::string::npos;
    return literal_v6 ? fmt::format("http://[{}]:{}", address, port)
                      : fmt::format("http://{}:{}", address, port);
}

StartFailure bind_failure(std::string_view what, const http::ServerOptions& options, error_code ec) {
    return {
        ExitCode::bind,
        fmt::format(
            "cannot listen on {} for {}: {}", url_of(options.address, options.port), what, ec.message()
        )
    };
}

}  // namespace

Application::Application(config::Config configuration) : config_(std::move(configuration)) {}

Application::~Application() {
    // Threads first: nothing may run while what it uses is taken down.
    for (const auto& worker : workers_) {
        worker->stop();
    }
    demo_.stop();
    // The pending accept holds a socket of a worker's loop, so it must go before the workers do.
    for (const auto* server : {&data_server_, &admin_server_}) {
        if (*server) {
            (*server)->stop_accepting();
        }
    }
    if (data_layer_) {
        data_layer_->stop();
    }
    control_.restart();
    control_.poll();
}

std::optional<StartFailure> Application::start() {
    if (auto failure = build_scheduler()) {
        return failure;
    }
    if (auto failure = start_demo()) {
        return failure;
    }
    datalayer::EndpointPool::Listener& listener = *this;
    data_layer_ = std::make_unique<datalayer::DataLayer>(control_, config_.data_layer, listener, metrics_);
    start_workers();
    std::vector<EndpointSpec> endpoints = config_.endpoints;
    for (EndpointSpec& spec : demo_.endpoints()) {
        endpoints.push_back(std::move(spec));
    }
    data_layer_->set_endpoints(std::move(endpoints));
    return start_servers();
}

std::optional<StartFailure> Application::build_scheduler() {
    std::vector<ReadError> errors;
    scheduler_ = routing::Scheduler::build(
        config_.scheduling, plugins::builtin_plugins(), std::random_device{}(), errors
    );
    if (scheduler_) {
        return std::nullopt;
    }
    return StartFailure{ExitCode::configuration, errors.front().path + ": " + errors.front().message};
}

std::optional<StartFailure> Application::start_demo() {
    const error_code ec = demo_.start(config_.demo);
    if (ec) {
        return StartFailure{ExitCode::bind, "cannot start a simulated model server: " + ec.message()};
    }
    return std::nullopt;
}

void Application::start_workers() {
    const proxy::ProxyServices services{
        *scheduler_, *data_layer_, metrics_, response_owners_, shutting_down_, requests_served_
    };
    for (std::size_t i = 0; i < threads_of(config_); ++i) {
        workers_.push_back(std::make_unique<Worker>(config_.upstream, config_.proxy, services));
    }
}

std::optional<StartFailure> Application::start_servers() {
    std::vector<http::ServerWorker> data_workers;
    for (const auto& worker : workers_) {
        data_workers.push_back({&worker->context(), &worker->handler()});
    }
    data_server_ = std::make_unique<http::Server>(control_, config_.listen, data_workers);
    if (const error_code ec = data_server_->start()) {
        return bind_failure("requests", config_.listen, ec);
    }
    admin_handler_ = std::make_unique<admin::AdminHandler>(admin::AdminSources{
        .pool = [this] { return data_layer_->pool().published(); },
        .scheduler = *scheduler_,
        .metrics = metrics_,
        .configuration = [this] { return config_.effective_json; },
        .shutting_down = shutting_down_,
        .connections = [this] { return data_server_->connections(); },
        .request_body_bytes_max = config_.proxy.request_body_bytes_max,
    });
    const std::vector<http::ServerWorker> control{{&control_, admin_handler_.get()}};
    admin_server_ = std::make_unique<http::Server>(control_, config_.admin, control);
    if (const error_code ec = admin_server_->start()) {
        return bind_failure("administration", config_.admin, ec);
    }
    for (const auto& worker : workers_) {
        worker->start();
    }
    return std::nullopt;
}

RunSummary Application::run() {
    run_loop(control_);
    return {requests_served_, connections_cut_, std::chrono::steady_clock::now() - started_};
}

void Application::request_stop() {
    asio::post(control_, [this] {
        if (shutting_down_.exchange(true)) {
            end_now();
        } else {
            begin_drain();
        }
    });
}

void Application::stop_on_signals() {
    signals_ =
        std::make_unique<asio::basic_signal_set<http::Executor>>(control_.get_executor(), SIGINT, SIGTERM);
    on_signal();
}

void Application::on_signal() {
    signals_->async_wait([this](error_code ec, int) {
        if (!ec) {
            request_stop();
            on_signal();
        }
    });
}

void Application::begin_drain() {
    observability::log().info(
        "shutting down; running requests have {} s", config_.shutdown_grace.count() / 1000
    );
    data_server_->stop_accepting();
    data_server_->drain();
    asio::co_spawn(control_, wait_for_connections(), [this](std::exception_ptr failure) {
        if (failure) {
            observability::log().error("the drain failed; ending at once");
        }
        end_now();
    });
}

http::Awaitable<void> Application::wait_for_connections() {
    http::Timer timer(control_.get_executor());
    const auto end = std::chrono::steady_clock::now() + config_.shutdown_grace;
    while (data_server_->connections() > 0 && std::chrono::steady_clock::now() < end) {
        timer.expires_after(kDrainPoll);
        co_await timer.async_wait(http::as_result);
    }
    connections_cut_ = data_server_->connections();
    data_server_->close_all();
    const auto closed_by = std::chrono::steady_clock::now() + kCloseTime;
    while (data_server_->connections() > 0 && std::chrono::steady_clock::now() < closed_by) {
        timer.expires_after(kDrainPoll);
        co_await timer.async_wait(http::as_result);
    }
}

void Application::end_now() {
    data_layer_->stop();
    control_.stop();
}

void Application::on_snapshot(const PoolSnapshotPtr& snapshot) {
    for (const auto& worker : workers_) {
        worker->post_pool(snapshot);
    }
}

void Application::on_forget(const Endpoint& endpoint) {
    scheduler_->forget(endpoint);
}

std::vector<std::string> Application::banner() const {
    std::vector<std::string> lines;
    lines.push_back(fmt::format("listening on {}", url_of(config_.listen.address, data_port())));
    lines.push_back(fmt::format("admin on {}", url_of(config_.admin.address, admin_port())));
    lines.push_back(fmt::format("{} worker threads", workers_.size()));
    const std::vector<std::string> profiles = scheduler_->describe();
    lines.insert(lines.end(), profiles.begin(), profiles.end());
    for (const EndpointStatus& status : data_layer_->pool().endpoints()) {
        const EndpointSpec& spec = status.endpoint->spec();
        lines.push_back(
            fmt::format("endpoint {} {} ({})", spec.name, url_of(spec.host, spec.port), spec.engine)
        );
    }
    return lines;
}

}  // namespace warmlane::app
