#include "endpoint_monitor.hpp"

#include "loop_end.hpp"

#include "warmlane/openai/model_list.hpp"

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <utility>

namespace warmlane::datalayer {
namespace {

using Answer = EndpointJudge::Answer;

constexpr std::size_t kModelsBytesMax = std::size_t{4} * 1024 * 1024;
constexpr std::size_t kProbeBytesMax = std::size_t{64} * 1024;
/// Until a list of models was read for the first time.
constexpr std::chrono::milliseconds kFirstModelsEvery{1'000};

/// One GET and where to send it.
struct Question {
    http::UpstreamPool& connections;
    std::string address;
    std::uint16_t port = 0;
    std::string authority;
    std::string target;
    std::chrono::milliseconds timeout{0};
    std::size_t bytes_max = 0;
};

http::Awaitable<Answer> ask(Question question) {
    http::FetchRequest request;
    request.address = {question.address, question.port};
    request.authority = question.authority;
    request.target = question.target;
    // Nothing here undoes a compression.
    request.fields = {{"Accept-Encoding", "identity"}};
    request.timeout = question.timeout;
    request.body_bytes_max = question.bytes_max;
    Answer answer = co_await http::fetch(question.connections, std::move(request));
    co_return answer;
}

}  // namespace

EndpointMonitor::EndpointMonitor(
    std::shared_ptr<Endpoint> endpoint, const MonitorServices& services, std::shared_ptr<void> owner
)
    : owner_(std::move(owner)),
      endpoint_(std::move(endpoint)),
      services_(services),
      scrape_target_(scrape_target(*endpoint_)),
      judge_(endpoint_, services.options.health.failures_until_down, services.judge),
      pace_(std::hash<std::string>{}(endpoint_->name())),
      watch_timer_(services.executor),
      models_timer_(services.executor) {}

void EndpointMonitor::start() {
    const std::string& name = endpoint_->name();
    const auto self = shared_from_this();
    place_ = std::make_shared<NameFollower>(
        services_.executor,
        endpoint_->spec().host,
        [this](const Result<std::string>& address) { on_address(address); }
    );
    scrape_place_ = place_;
    if (!scrape_target_) {
        judge_.on_bad_metrics_url();
    } else if (scrape_target_->host != place_->host()) {
        scrape_place_ = std::make_shared<NameFollower>(
            services_.executor, scrape_target_->host, [](const Result<std::string>&) {}
        );
        scrape_place_->start();
    }
    place_->start();
    http::asio::co_spawn(services_.executor, watch(self), LoopEnd{"watch", name});
    http::asio::co_spawn(services_.executor, follow_models(self), LoopEnd{"model list", name});
}

void EndpointMonitor::stop() {
    stopped_ = true;
    place_->stop();
    scrape_place_->stop();
    watch_timer_.cancel();
    models_timer_.cancel();
}

void EndpointMonitor::on_request(Contact contact, std::string_view detail) {
    judge_.on_request(contact, detail);
    if (contact == Contact::connect_failed) {
        place_->refresh();
    }
}

http::Awaitable<void> EndpointMonitor::watch(std::shared_ptr<EndpointMonitor> self) {
    const DataLayerOptions& options = self->services_.options;
    const Clock& clock = self->services_.judge.clock;
    while (!self->stopped_) {
        const TimePoint begun = clock.now();
        if (self->place_->address().empty()) {
            // Its name has no address yet, which wakes this loop when it comes.
        } else if (!self->is_down()) {
            co_await scrape_once(self);
        } else if (begun >= self->next_probe_) {
            self->next_probe_ = begun + options.health.probe_interval * 9 / 10;
            co_await probe_once(self);
        }
        if (self->stopped_) {
            co_return;
        }
        const auto interval = self->is_down() ? options.health.probe_interval : options.metrics.interval;
        self->watch_timer_.expires_after(self->pace_.pause(interval, clock.now() - begun));
        co_await self->watch_timer_.async_wait(http::as_result);
    }
}

http::Awaitable<void> EndpointMonitor::scrape_once(std::shared_ptr<EndpointMonitor> self) {
    const auto start = self->scrape_start();
    const Answer answer = co_await scrape(self);
    if (self->stopped_) {
        co_return;
    }
    const std::optional<ScrapeTarget>& target = self->scrape_target_;
    if (self->judge_.on_scrape(answer, start, target && target->serves_requests)) {
        self->models_timer_.cancel();
    }
    if (answer.has_error()) {
        self->look_for(answer.error());
    }
}

http::Awaitable<void> EndpointMonitor::probe_once(std::shared_ptr<EndpointMonitor> self) {
    const EndpointSpec& spec = self->endpoint_->spec();
    const HealthOptions& options = self->services_.options.health;
    Question question{
        self->services_.new_connections,
        self->place_->address(),
        spec.port,
        self->endpoint_->authority(),
        spec.base_path + options.probe_path,
        options.probe_timeout,
        kProbeBytesMax
    };
    const Answer answer = co_await ask(std::move(question));
    if (self->stopped_) {
        co_return;
    }
    if (!self->judge_.on_probe(answer)) {
        self->place_->try_next();
        co_return;
    }
    const auto start = self->scrape_start();
    const Answer page = co_await scrape(self);
    if (!self->stopped_) {
        self->judge_.on_return(page, start);
        self->models_timer_.cancel();
    }
}

http::Awaitable<Answer> EndpointMonitor::scrape(std::shared_ptr<EndpointMonitor> self) {
    const std::string& address = self->scrape_place_->address();
    const std::optional<ScrapeTarget>& target = self->scrape_target_;
    if (!target || address.empty()) {
        co_return make_error_code(http::asio::error::host_not_found);
    }
    const MetricsPollerOptions& options = self->services_.options.metrics;
    Question question{
        self->services_.connections,
        address,
        target->port,
        target->authority,
        target->target,
        options.timeout,
        options.page_bytes_max
    };
    Answer answer = co_await ask(std::move(question));
    co_return answer;
}

http::Awaitable<void> EndpointMonitor::follow_models(std::shared_ptr<EndpointMonitor> self) {
    const MetricsPollerOptions& options = self->services_.options.metrics;
    while (!self->stopped_) {
        if (!self->place_->address().empty() && !self->is_down()) {
            co_await read_models(self);
        }
        if (self->stopped_) {
            co_return;
        }
        const auto interval = self->has_models_ ? options.models_interval
                                                : std::min(options.models_interval, kFirstModelsEvery);
        self->models_timer_.expires_after(self->pace_.pause(interval, Duration{0}));
        co_await self->models_timer_.async_wait(http::as_result);
    }
}

http::Awaitable<void> EndpointMonitor::read_models(std::shared_ptr<EndpointMonitor> self) {
    const EndpointSpec& spec = self->endpoint_->spec();
    Question question{
        self->services_.connections,
        self->place_->address(),
        spec.port,
        self->endpoint_->authority(),
        spec.base_path + "/v1/models",
        self->services_.options.metrics.timeout,
        kModelsBytesMax
    };
    const Answer answer = co_await ask(std::move(question));
    if (!self->stopped_ && answer.has_value() && answer->status == 200) {
        self->has_models_ = true;
        self->judge_.on_models(openai::read_model_list(answer->body));
    }
}

EndpointJudge::ScrapeStart EndpointMonitor::scrape_start() const {
    return {services_.judge.clock.now(), endpoint_->decided_requests};
}

void EndpointMonitor::look_for(const error_code& scrape_error) {
    if (scrape_error != Errc::connect_failed && scrape_error != Errc::connect_timeout) {
        return;
    }
    // Where the endpoint itself is, its probes find out.
    if (scrape_place_ == place_) {
        place_->refresh();
    } else {
        scrape_place_->try_next();
    }
}

void EndpointMonitor::on_address(const Result<std::string>& address) {
    if (address.has_error()) {
        judge_.on_address_failure(endpoint_->spec().host, address.error());
        return;
    }
    judge_.on_address(*address);
    next_probe_ = {};
    watch_timer_.cancel();
    models_timer_.cancel();
}

}  // namespace warmlane::datalayer
