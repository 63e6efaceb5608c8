#include "plugins/factories.hpp"
#include "plugins/unknown.hpp"

namespace warmlane::plugins {
namespace {

/// Prefers the smallest running batch: requests that the engine reported as running, and those sent there
/// since.
class RunningRequestsSizeScorer final : public routing::Scorer {
public:
    void score(
        const InferenceRequest& /*request*/,
        std::span<const routing::Candidate> candidates,
        std::span<double> scores
    ) const override {
        score_fewest_requests_best(candidates, &EndpointMetrics::running, scores);
    }
};

}  // namespace

std::unique_ptr<routing::Plugin> make_running_requests_size_scorer(JsonReader& /*parameters*/) {
    return std::make_unique<RunningRequestsSizeScorer>();
}

}  // namespace warmlane::plugins
