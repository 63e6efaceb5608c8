#include "plugins/factories.hpp"
#include "plugins/unknown.hpp"

#include <algorithm>

namespace warmlane::plugins {
namespace {

/// Prefers the emptiest KV cache: one minus the share in use.
class KvCacheUtilizationScorer final : public routing::Scorer {
public:
    void score(
        const InferenceRequest& /*request*/,
        std::span<const routing::Candidate> candidates,
        std::span<double> scores
    ) const override {
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const EndpointMetrics* metrics = candidates[i].metrics;
            const double usage = metrics == nullptr ? kUnknown : known_or_unknown(metrics->kv_usage);
            scores[i] = 1.0 - std::min(usage, 1.0);  // unknown stays unknown
        }
        fill_unknown(scores);
    }
};

}  // namespace

std::unique_ptr<routing::Plugin> make_kv_cache_utilization_scorer(JsonReader& /*parameters*/) {
    return std::make_unique<KvCacheUtilizationScorer>();
}

}  // namespace warmlane::plugins
