#include "plugins/endpoints_max.hpp"
#include "plugins/factories.hpp"

#include <algorithm>

namespace warmlane::plugins {
namespace {

/// The highest totals, equals in random order.
class MaxScorePicker final : public routing::Picker {
public:
    explicit MaxScorePicker(std::size_t endpoints_max) : endpoints_max_(endpoints_max) {}

    void pick(std::vector<routing::ScoredCandidate>& candidates, routing::RandomEngine& random) override {
        const std::size_t count = std::min(endpoints_max_, candidates.size());
        // The sort looks at totals alone, so after a shuffle every order of equals is as likely as any other.
        std::shuffle(candidates.begin(), candidates.end(), random);
        std::partial_sort(
            candidates.begin(),
            candidates.begin() + static_cast<std::ptrdiff_t>(count),
            candidates.end(),
            [](const auto& a, const auto& b) { return a.total > b.total; }
        );
        candidates.resize(count);
    }

private:
    const std::size_t endpoints_max_;
};

}  // namespace

std::unique_ptr<routing::Plugin> make_max_score_picker(JsonReader& parameters) {
    return std::make_unique<MaxScorePicker>(read_endpoints_max(parameters));
}

}  // namespace warmlane::plugins
