#include "warmlane/datalayer/data_layer.hpp"

#include "endpoint_monitor.hpp"

#include "warmlane/http/upstream.hpp"

#include <boost/asio/post.hpp>

#include <atomic>
#include <map>
#include <utility>

namespace warmlane::datalayer {
namespace {

/// Changes of metrics within this time go out as one picture.
constexpr std::chrono::milliseconds kPublishEvery{10};
constexpr std::size_t kDetailBytesMax = 256;

http::UpstreamOptions connections_of(std::chrono::milliseconds connect_timeout, std::size_t idle_max) {
    http::UpstreamOptions options;
    options.connect_timeout = connect_timeout;
    options.idle_connections_max = idle_max;
    return options;
}

}  // namespace

struct DataLayer::State : std::enable_shared_from_this<State> {
    State(
        http::asio::io_context& loop,
        DataLayerOptions wanted,
        EndpointPool::Listener& listener,
        observability::Metrics& counters
    )
        : control(loop),
          options(std::move(wanted)),
          metrics(counters),
          pool(options.metrics.stale_after, listener),
          connections(loop, connections_of(options.metrics.timeout, 2)),
          new_connections(loop, connections_of(options.health.probe_timeout, 0)),
          publish_timer(loop.get_executor()) {}

    void follow_membership();
    void publish_later();
    void stop();
    void report(const std::shared_ptr<Endpoint>& endpoint, Contact contact, std::string_view detail);

    http::asio::io_context& control;
    const DataLayerOptions options;
    observability::Metrics& metrics;
    const SystemClock clock;
    EndpointPool pool;
    http::UpstreamPool connections;
    http::UpstreamPool new_connections;
    http::Timer publish_timer;
    const MonitorServices services{
        control.get_executor(), options, connections, new_connections, {pool, metrics, clock}
    };
    std::map<std::shared_ptr<Endpoint>, std::shared_ptr<EndpointMonitor>> monitors;
    bool stopped = false;
};

void DataLayer::State::follow_membership() {
    std::map<std::shared_ptr<Endpoint>, std::shared_ptr<EndpointMonitor>> leaving =
        std::exchange(monitors, {});
    std::vector<std::shared_ptr<EndpointMonitor>> coming;
    for (const EndpointStatus& status : pool.endpoints()) {
        if (auto known = leaving.extract(status.endpoint)) {
            monitors.insert(std::move(known));
            continue;
        }
        coming.push_back(std::make_shared<EndpointMonitor>(status.endpoint, services, shared_from_this()));
        monitors.emplace(status.endpoint, coming.back());
    }
    for (const auto& [endpoint, monitor] : leaving) {
        monitor->stop();
        if (pool.find(endpoint->name()) == nullptr) {
            metrics.remove_endpoint(endpoint->name());
        }
    }
    for (const auto& monitor : coming) {
        monitor->start();
    }
}

void DataLayer::State::publish_later() {
    publish_timer.expires_after(kPublishEvery);
    publish_timer.async_wait([weak = weak_from_this()](error_code) {
        const auto self = weak.lock();
        if (self && !self->stopped) {
            self->pool.publish_if_changed();
            self->publish_later();
        }
    });
}

void DataLayer::State::stop() {
    stopped = true;
    publish_timer.cancel();
    for (const auto& [endpoint, monitor] : std::exchange(monitors, {})) {
        monitor->stop();
    }
    connections.clear();
}

void DataLayer::State::report(
    const std::shared_ptr<Endpoint>& endpoint, Contact contact, std::string_view detail
) {
    const auto found = monitors.find(endpoint);
    if (found != monitors.end()) {
        found->second->on_request(contact, detail);
    }
}

DataLayer::DataLayer(
    http::asio::io_context& control,
    DataLayerOptions options,
    EndpointPool::Listener& listener,
    observability::Metrics& metrics
)
    : state_(std::make_shared<State>(control, std::move(options), listener, metrics)) {
    state_->publish_later();
}

DataLayer::~DataLayer() {
    stop();
}

void DataLayer::set_endpoints(std::vector<EndpointSpec> specs) {
    state_->pool.reconcile(std::move(specs));
    state_->follow_membership();
}

void DataLayer::stop() {
    state_->stop();
}

void DataLayer::report(const std::shared_ptr<Endpoint>& endpoint, Contact contact, std::string_view detail) {
    if (contact == Contact::answered) {
        if (endpoint->consecutive_failures.load(std::memory_order_relaxed) == 0) {
            return;
        }
    } else {
        // Seen at once by the next success, which must not pass over this one.
        ++endpoint->consecutive_failures;
    }
    http::asio::post(
        state_->control,
        [weak = std::weak_ptr(state_),
         endpoint,
         contact,
         text = std::string(detail.substr(0, kDetailBytesMax))] {
            if (const auto state = weak.lock()) {
                state->report(endpoint, contact, text);
            }
        }
    );
}

const EndpointPool& DataLayer::pool() const {
    return state_->pool;
}

}  // namespace warmlane::datalayer
