#pragma once

#include "answer.hpp"

#include "warmlane/sim/simulated_engine.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::sim {

/// Counts values by upper bounds, as Prometheus does.
class Histogram {
public:
    /// `bounds` ascend and outlive the histogram.
    explicit Histogram(std::span<const double> bounds) : bounds_(bounds), counts_(bounds.size() + 1) {}

    void observe(double value);

    std::span<const double> bounds() const { return bounds_; }
    /// Values up to `bounds()[i]`; the last one counts all.
    std::uint64_t count_up_to(std::size_t i) const;
    std::uint64_t count() const { return count_up_to(bounds_.size()); }
    double sum() const { return sum_; }

private:
    std::span<const double> bounds_;
    std::vector<std::uint64_t> counts_;
    double sum_ = 0;
};

/// What the metrics page tells beyond the engine's own counts.
struct RequestHistograms {
    RequestHistograms();

    /// One event of a request; `reason` counts when it is the last one.
    void observe(const EngineEvent& event, StopReason reason);

    Histogram time_to_first_token;
    Histogram inter_token_latency;
    Histogram end_to_end_latency;
    Histogram queue_time;
    Histogram prompt_tokens;
    Histogram generation_tokens;
    /// By `StopReason`.
    std::array<std::uint64_t, 3> finished{};
};

struct MetricsPageInput {
    std::string_view model;
    const EngineOptions& engine;
    const EngineStats& stats;
    const RequestHistograms& histograms;
    /// Unix time in seconds.
    double process_start_time = 0;
};

/// A page in Prometheus's text format with vLLM's families and labels.
std::string metrics_page(const MetricsPageInput& input);

}  // namespace warmlane::sim
