#include "plugins/endpoints_max.hpp"
#include "plugins/factories.hpp"

#include <algorithm>

namespace warmlane::plugins {
namespace {

/// Any candidate, whatever its total.
class RandomPicker final : public routing::Picker {
public:
    explicit RandomPicker(std::size_t endpoints_max) : endpoints_max_(endpoints_max) {}

    void pick(std::vector<routing::ScoredCandidate>& candidates, routing::RandomEngine& random) override {
        std::shuffle(candidates.begin(), candidates.end(), random);
        candidates.resize(std::min(endpoints_max_, candidates.size()));
    }

private:
    const std::size_t endpoints_max_;
};

}  // namespace

std::unique_ptr<routing::Plugin> make_random_picker(JsonReader& parameters) {
    return std::make_unique<RandomPicker>(read_endpoints_max(parameters));
}

}  // namespace warmlane::plugins
