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
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const routing::Candidate& candidate = candidates[i];
            scores[i] = candidate.metrics == nullptr ? kUnknown
                                                     : known_or_unknown(candidate.metrics->running) +
                                                           static_cast<double>(candidate.unseen_requests);
        }
        score_lowest_best(scores);
    }
};

}  // namespace

std::unique_ptr<routing::Plugin> make_running_requests_size_scorer(JsonReader& /*parameters*/) {
    return std::make_unique<RunningRequestsSizeScorer>();
}

}  // namespace warmlane::plugins
