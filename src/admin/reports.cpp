#include "admin/reports.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace warmlane::admin {
namespace {

namespace json = boost::json;

/// Null when absent. Whole numbers are shown without the exponent that a double would get.
json::value or_null(const std::optional<double>& number) {
    constexpr double kExact = 1e15;
    if (!number) {
        return nullptr;
    }
    const bool whole = std::trunc(*number) == *number && std::abs(*number) < kExact;
    return whole ? json::value(static_cast<std::int64_t>(*number)) : json::value(*number);
}

std::optional<Duration> metrics_age(const EndpointStatus& status, TimePoint now) {
    return status.metrics ? std::optional(std::max(now - status.metrics_time, Duration::zero()))
                          : std::nullopt;
}

json::array models_of(const EndpointStatus& status) {
    json::array ids;
    if (status.models) {
        for (const EndpointStatus::Model& model : *status.models) {
            ids.emplace_back(model.id);
        }
    }
    return ids;
}

json::object endpoint_report(
    const EndpointStatus& status, const routing::Scheduler& scheduler, TimePoint now
) {
    const Endpoint& endpoint = *status.endpoint;
    const EndpointSpec& spec = endpoint.spec();
    const EndpointMetrics metrics = status.metrics.value_or(EndpointMetrics{});
    const std::optional<Duration> age = metrics_age(status, now);
    json::object labels;
    for (const auto& [key, value] : spec.labels) {
        labels[key] = value;
    }
    json::object report;
    report["name"] = spec.name;
    report["url"] = spec.scheme + "://" + endpoint.authority() + spec.base_path;
    report["state"] = to_string(status.state);
    report["labels"] = std::move(labels);
    report["engine"] = spec.engine;
    report["models"] = models_of(status);
    report["in_flight_requests"] = endpoint.in_flight_requests.load();
    report["in_flight_tokens"] = endpoint.in_flight_tokens.load();
    report["waiting"] = or_null(metrics.waiting);
    report["running"] = or_null(metrics.running);
    report["kv_usage"] = or_null(metrics.kv_usage);
    report["metrics_age_ms"] =
        age ? json::value(std::chrono::duration_cast<std::chrono::milliseconds>(*age).count())
            : json::value(nullptr);
    report["index_blocks"] = scheduler.index_blocks(endpoint);
    report["predicted_cached_tokens"] = endpoint.predicted_cached_tokens.load();
    report["cached_tokens"] = endpoint.cached_tokens.load();
    report["last_error"] = status.last_error.empty() ? json::value(nullptr) : json::value(status.last_error);
    return report;
}

json::object candidate_report(const routing::CandidateReport& candidate) {
    json::array filters;
    for (const auto& verdict : candidate.filters) {
        filters.push_back(json::object{{"plugin", verdict.plugin}, {"kept", verdict.kept}});
    }
    json::array scores;
    for (const auto& score : candidate.scores) {
        scores.push_back(
            json::object{{"plugin", score.plugin}, {"score", score.score}, {"weight", score.weight}}
        );
    }
    json::object report;
    report["endpoint"] = candidate.endpoint;
    report["kept"] = candidate.kept;
    report["filters"] = std::move(filters);
    report["scores"] = std::move(scores);
    report["total"] = candidate.total;
    report["match_blocks"] = candidate.prefix_match.match_blocks;
    report["total_blocks"] = candidate.prefix_match.total_blocks;
    return report;
}

}  // namespace

json::object endpoints_report(const PoolSnapshot& pool, const routing::Scheduler& scheduler, TimePoint now) {
    json::array endpoints;
    for (const EndpointStatus& status : pool.endpoints) {
        endpoints.push_back(endpoint_report(status, scheduler, now));
    }
    json::object report;
    report["endpoints"] = std::move(endpoints);
    report["generation"] = pool.generation;
    return report;
}

json::object decision_report(const routing::Decision& decision, std::string_view model) {
    std::uint32_t total_blocks = decision.prefix_match.total_blocks;
    json::array candidates;
    for (const routing::CandidateReport& candidate : decision.candidates) {
        total_blocks = std::max(total_blocks, candidate.prefix_match.total_blocks);
        candidates.push_back(candidate_report(candidate));
    }
    const Endpoint* picked = decision.picked.endpoint.get();
    json::object report;
    report["model"] = model;
    report["profile"] = decision.profile;
    report["total_blocks"] = total_blocks;
    report["picked"] = picked == nullptr ? json::value(nullptr) : json::value(picked->name());
    report["candidates"] = std::move(candidates);
    return report;
}

observability::EndpointGauges gauges_of(
    const EndpointStatus& status, const routing::Scheduler& scheduler, TimePoint now
) {
    const Endpoint& endpoint = *status.endpoint;
    observability::EndpointGauges gauges;
    gauges.up = status.takes_traffic();
    gauges.state = to_string(status.state);
    gauges.in_flight_requests = endpoint.in_flight_requests;
    gauges.in_flight_tokens = endpoint.in_flight_tokens;
    gauges.index_blocks = scheduler.index_blocks(endpoint);
    if (status.metrics) {
        gauges.waiting = status.metrics->waiting;
        gauges.running = status.metrics->running;
        gauges.kv_usage = status.metrics->kv_usage;
    }
    if (const std::optional<Duration> age = metrics_age(status, now)) {
        gauges.metrics_age = *age;
    }
    return gauges;
}

}  // namespace warmlane::admin
