#include "warmlane/observability/metrics.hpp"

#include "series.hpp"

#include "warmlane/observability/log.hpp"

#include <prometheus/text_serializer.h>

#include <array>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace warmlane::observability {
namespace {

using Bounds = prometheus::Histogram::BucketBoundaries;

/// From a millisecond to four minutes: what clients wait for.
const Bounds kWaiting{
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 240
};
/// From a microsecond to a second: what the gateway adds.
const Bounds kOwnTime{
    1e-6, 2.5e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4, 2.5e-4, 5e-4, 1e-3, 2.5e-3, 1e-2, 1e-1, 1
};
const Bounds kShare{0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};

constexpr std::array<std::string_view, 5> kStates{"up", "suspect", "down", "draining", "ejected"};
constexpr std::string_view kOtherModel = "other";
constexpr std::size_t kModelLabelBytes = 128;

std::string code_label(unsigned code) {
    return code == 0 ? "aborted" : std::to_string(code);
}

prometheus::Histogram& histogram(
    prometheus::Registry& registry, const char* name, const char* help, const Bounds& bounds
) {
    return prometheus::BuildHistogram().Name(name).Help(help).Register(registry).Add({}, bounds);
}

}  // namespace

struct Metrics::State {
    prometheus::Registry registry;
    Counters requests{registry, "warmlane_requests_total", "Requests finished.", {"model", "code"}};
    Counters upstream_requests{
        registry, "warmlane_upstream_requests_total", "Answers of an endpoint.", {"endpoint", "code"}
    };
    Counters upstream_errors{
        registry, "warmlane_upstream_errors_total", "Failed attempts.", {"endpoint", "kind"}
    };
    Counters scrape_errors{registry, "warmlane_scrape_errors_total", "Scrapes that failed.", {"endpoint"}};
    Counters prompt_tokens{registry, "warmlane_prompt_tokens_total", "Prompt tokens reported.", {"endpoint"}};
    Counters completion_tokens{
        registry, "warmlane_completion_tokens_total", "Completion tokens reported.", {"endpoint"}
    };
    Counters cached_tokens{
        registry, "warmlane_cached_tokens_total", "Prompt tokens that came from cache.", {"endpoint"}
    };
    Counters predicted_tokens{
        registry, "warmlane_predicted_cached_tokens_total", "Prompt tokens expected in cache.", {"endpoint"}
    };
    Gauges endpoint_up{registry, "warmlane_endpoint_up", "1 while the endpoint takes traffic.", {"endpoint"}};
    Gauges endpoint_state{
        registry, "warmlane_endpoint_state", "1 for the state it is in.", {"endpoint", "state"}
    };
    Gauges in_flight_requests{
        registry, "warmlane_in_flight_requests", "Requests decided and not finished.", {"endpoint"}
    };
    Gauges in_flight_tokens{
        registry, "warmlane_in_flight_tokens", "Uncached prompt tokens not worked on yet.", {"endpoint"}
    };
    Gauges index_blocks{
        registry, "warmlane_prefix_index_blocks", "Blocks the endpoint is believed to hold.", {"endpoint"}
    };
    Gauges waiting{
        registry, "warmlane_endpoint_waiting_requests", "Requests in the endpoint's queue.", {"endpoint"}
    };
    Gauges running{
        registry, "warmlane_endpoint_running_requests", "Requests the endpoint works on.", {"endpoint"}
    };
    Gauges kv_usage{
        registry, "warmlane_endpoint_kv_usage_ratio", "Share of the KV cache in use.", {"endpoint"}
    };
    Gauges metrics_age{
        registry, "warmlane_metrics_age_seconds", "Age of the last good scrape.", {"endpoint"}
    };
    prometheus::Counter& retries = prometheus::BuildCounter()
                                       .Name("warmlane_retries_total")
                                       .Help("Attempts after the first.")
                                       .Register(registry)
                                       .Add({});
    prometheus::Gauge& index_bytes = prometheus::BuildGauge()
                                         .Name("warmlane_prefix_index_bytes")
                                         .Help("Memory of the prefix index.")
                                         .Register(registry)
                                         .Add({});
    prometheus::Gauge& connections = prometheus::BuildGauge()
                                         .Name("warmlane_connections")
                                         .Help("Open connections of clients.")
                                         .Register(registry)
                                         .Add({});
    prometheus::Histogram& duration =
        histogram(registry, "warmlane_request_duration_seconds", "First byte in to last byte out.", kWaiting);
    prometheus::Histogram& first_byte = histogram(
        registry,
        "warmlane_time_to_first_byte_seconds",
        "First byte in to first byte of the answer.",
        kWaiting
    );
    prometheus::Histogram& chunk_gap =
        histogram(registry, "warmlane_inter_chunk_seconds", "Pauses inside streamed answers.", kWaiting);
    prometheus::Histogram& overhead =
        histogram(registry, "warmlane_overhead_seconds", "Time spent in the gateway itself.", kOwnTime);
    prometheus::Histogram& decision = histogram(
        registry, "warmlane_decision_seconds", "Time to decide, waiting for the lock included.", kOwnTime
    );
    prometheus::Histogram& match_ratio =
        histogram(registry, "warmlane_prefix_match_ratio", "Matched share of a prompt's blocks.", kShare);

    std::mutex models_mutex;
    /// Models that have a label of their own; guarded by `models_mutex`.
    std::set<std::string, std::less<>> models;

    /// The label of a model: its name where it is printable and not long, while there are not too many, so
    /// that clients cannot grow or spoil the page.
    std::string_view model_label(std::string_view model) {
        const std::lock_guard lock(models_mutex);
        if (const auto known = models.find(model); known != models.end()) {
            return *known;
        }
        if (models.size() >= kModelsMax || escaped(model, kModelLabelBytes) != model) {
            return kOtherModel;
        }
        return *models.emplace(model).first;
    }
};

Metrics::Metrics() : state_(std::make_unique<State>()) {}

Metrics::~Metrics() = default;

void Metrics::observe_request(const RequestSample& sample) {
    State& state = *state_;
    state.requests.add({state.model_label(sample.model), code_label(sample.code)}, 1);
    state.duration.Observe(sample.duration.count());
    state.overhead.Observe(sample.overhead.count());
    if (sample.time_to_first_byte) {
        state.first_byte.Observe(sample.time_to_first_byte->count());
    }
    if (sample.decision) {
        state.decision.Observe(sample.decision->count());
    }
    if (sample.prefix_match_ratio) {
        state.match_ratio.Observe(*sample.prefix_match_ratio);
    }
    if (sample.retries > 0) {
        state.retries.Increment(sample.retries);
    }
}

void Metrics::observe_chunk_gap(Seconds gap) {
    state_->chunk_gap.Observe(gap.count());
}

void Metrics::observe_tokens(std::string_view endpoint, const TokenSample& sample) {
    state_->prompt_tokens.add({endpoint}, static_cast<double>(sample.prompt));
    state_->completion_tokens.add({endpoint}, static_cast<double>(sample.completion));
    state_->cached_tokens.add({endpoint}, static_cast<double>(sample.cached));
    state_->predicted_tokens.add({endpoint}, static_cast<double>(sample.predicted_cached));
}

void Metrics::count_upstream(std::string_view endpoint, unsigned code) {
    state_->upstream_requests.add({endpoint, code_label(code)}, 1);
}

void Metrics::count_upstream_error(std::string_view endpoint, std::string_view kind) {
    state_->upstream_errors.add({endpoint, kind}, 1);
}

void Metrics::count_scrape_error(std::string_view endpoint) {
    state_->scrape_errors.add({endpoint}, 1);
}

void Metrics::set_endpoint(std::string_view endpoint, const EndpointGauges& gauges) {
    State& state = *state_;
    state.endpoint_up.set({endpoint}, gauges.up ? 1 : 0);
    for (const std::string_view name : kStates) {
        state.endpoint_state.set({endpoint, name}, name == gauges.state ? 1 : 0);
    }
    state.in_flight_requests.set({endpoint}, static_cast<double>(gauges.in_flight_requests));
    state.in_flight_tokens.set({endpoint}, static_cast<double>(gauges.in_flight_tokens));
    state.index_blocks.set({endpoint}, static_cast<double>(gauges.index_blocks));
    const auto set_if_known = [endpoint](Gauges& series, std::optional<double> value) {
        if (value) {
            series.set({endpoint}, *value);
        }
    };
    set_if_known(state.waiting, gauges.waiting);
    set_if_known(state.running, gauges.running);
    set_if_known(state.kv_usage, gauges.kv_usage);
    if (gauges.metrics_age) {
        state.metrics_age.set({endpoint}, gauges.metrics_age->count());
    }
}

void Metrics::set_index_bytes(std::size_t bytes) {
    state_->index_bytes.Set(static_cast<double>(bytes));
}

void Metrics::set_connections(std::size_t open) {
    state_->connections.Set(static_cast<double>(open));
}

void Metrics::remove_endpoint(std::string_view endpoint) {
    State& state = *state_;
    for (Counters* counters :
         {&state.upstream_requests,
          &state.upstream_errors,
          &state.scrape_errors,
          &state.prompt_tokens,
          &state.completion_tokens,
          &state.cached_tokens,
          &state.predicted_tokens}) {
        counters->remove(endpoint);
    }
    for (Gauges* gauges :
         {&state.endpoint_up,
          &state.endpoint_state,
          &state.in_flight_requests,
          &state.in_flight_tokens,
          &state.index_blocks,
          &state.waiting,
          &state.running,
          &state.kv_usage,
          &state.metrics_age}) {
        gauges->remove(endpoint);
    }
}

std::string Metrics::page() const {
    return prometheus::TextSerializer().Serialize(state_->registry.Collect());
}

}  // namespace warmlane::observability
