#include "plugins/factories.hpp"

#include "warmlane/routing/profile.hpp"

namespace warmlane::plugins {
namespace {

/// Every request goes through the only profile.
class SingleProfileHandler final : public routing::ProfileHandler {
public:
    std::size_t profiles_max() const override { return 1; }

    std::size_t choose(
        const InferenceRequest& /*request*/, std::span<const routing::SchedulingProfile> /*profiles*/
    ) const override {
        return 0;
    }
};

}  // namespace

std::unique_ptr<routing::Plugin> make_single_profile_handler(JsonReader& /*parameters*/) {
    return std::make_unique<SingleProfileHandler>();
}

}  // namespace warmlane::plugins
