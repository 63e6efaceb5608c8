#include "plugins/endpoints_max.hpp"
#include "plugins/factories.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace warmlane::plugins {
namespace {

/// Candidates with odds in proportion to their totals. Draws without replacement as Efraimidis and Spirakis
/// do (A-Res): the largest keys U^(1/total) win. Their logarithm is compared, which does not underflow.
class WeightedRandomPicker final : public routing::Picker {
public:
    explicit WeightedRandomPicker(std::size_t endpoints_max) : endpoints_max_(endpoints_max) {}

    void pick(std::vector<routing::ScoredCandidate>& candidates, routing::RandomEngine& random) override {
        const std::size_t count = std::min(endpoints_max_, candidates.size());
        // Those without a chance share one key; the shuffle decides among them when nobody else is left.
        std::shuffle(candidates.begin(), candidates.end(), random);
        keyed_.clear();
        for (const routing::ScoredCandidate& candidate : candidates) {
            keyed_.push_back({draw_key(candidate.total, random), candidate});
        }
        std::partial_sort(
            keyed_.begin(),
            keyed_.begin() + static_cast<std::ptrdiff_t>(count),
            keyed_.end(),
            [](const Keyed& a, const Keyed& b) { return a.key > b.key; }
        );
        candidates.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            candidates[i] = keyed_[i].candidate;
        }
    }

private:
    struct Keyed {
        double key;
        routing::ScoredCandidate candidate;
    };

    static double draw_key(double total, routing::RandomEngine& random) {
        if (total <= 0) {
            return -std::numeric_limits<double>::infinity();
        }
        std::uniform_real_distribution<double> uniform(0.0, 1.0);
        return std::log(1.0 - uniform(random)) / total;
    }

    const std::size_t endpoints_max_;
    std::vector<Keyed> keyed_;
};

}  // namespace

std::unique_ptr<routing::Plugin> make_weighted_random_picker(JsonReader& parameters) {
    return std::make_unique<WeightedRandomPicker>(read_endpoints_max(parameters));
}

}  // namespace warmlane::plugins
