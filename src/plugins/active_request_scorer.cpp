#include "plugins/factories.hpp"

#include <algorithm>
#include <cstdint>

namespace warmlane::plugins {
namespace {

struct ActiveRequestOptions {
    /// Up to so many requests an endpoint counts as idle.
    std::int64_t idle_threshold = 0;
    /// What the least busy of the busy endpoints could reach; 0 to 1.
    double max_busy_score = 1.0;
};

/// Prefers the endpoint with the fewest requests of this process in flight, a count that is exact at every
/// moment.
class ActiveRequestScorer final : public routing::Scorer {
public:
    explicit ActiveRequestScorer(ActiveRequestOptions options) : options_(options) {}

    void score(
        const InferenceRequest& /*request*/,
        std::span<const routing::Candidate> candidates,
        std::span<double> scores
    ) const override {
        std::int64_t busiest = 0;
        for (const routing::Candidate& candidate : candidates) {
            busiest = std::max(busiest, candidate.in_flight_requests);
        }
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const std::int64_t count = candidates[i].in_flight_requests;
            const bool idle = count <= options_.idle_threshold || busiest == 0;
            scores[i] = idle ? 1.0
                             : static_cast<double>(busiest - count) / static_cast<double>(busiest) *
                                   options_.max_busy_score;
        }
    }

private:
    const ActiveRequestOptions options_;
};

}  // namespace

std::unique_ptr<routing::Plugin> make_active_request_scorer(JsonReader& parameters) {
    ActiveRequestOptions options;
    parameters.read("idleThreshold", options.idle_threshold, 0);
    parameters.read("maxBusyScore", options.max_busy_score, 0.0, 1.0);
    // Counting is built in, and a request counts until it ends: neither has anything to set here.
    parameters.take("inFlightLoadProducerName");
    parameters.take("requestTimeout");
    return std::make_unique<ActiveRequestScorer>(options);
}

}  // namespace warmlane::plugins
