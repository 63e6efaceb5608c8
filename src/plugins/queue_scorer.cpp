#include "plugins/factories.hpp"
#include "plugins/unknown.hpp"

namespace warmlane::plugins {
namespace {

/// Prefers the shortest queue: requests that the engine reported as waiting, and those sent there since.
class QueueScorer final : public routing::Scorer {
public:
    void score(
        const InferenceRequest& /*request*/,
        std::span<const routing::Candidate> candidates,
        std::span<double> scores
    ) const override {
        score_fewest_requests_best(candidates, &EndpointMetrics::waiting, scores);
    }
};

}  // namespace

std::unique_ptr<routing::Plugin> make_queue_scorer(JsonReader& /*parameters*/) {
    return std::make_unique<QueueScorer>();
}

}  // namespace warmlane::plugins
