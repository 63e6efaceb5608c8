#include "warmlane/routing/scheduling_config.hpp"

#include <fmt/format.h>

namespace warmlane::routing {

SchedulingConfig SchedulingConfig::default_config() {
    struct Row {
        const char* type;
        double weight;
    };
    constexpr Row kScorers[] = {
        {"queue-scorer", 2},
        {"kv-cache-utilization-scorer", 2},
        {"prefix-cache-scorer", 3},
    };
    SchedulingConfig config;
    ProfileSpec profile{"default", {}, "schedulingProfiles[0]"};
    for (const Row& row : kScorers) {
        const std::size_t i = config.plugins.size();
        config.plugins.push_back({row.type, row.type, nullptr, fmt::format("plugins[{}]", i)});
        profile.plugins.push_back({row.type, row.weight, fmt::format("{}.plugins[{}]", profile.path, i)});
    }
    config.profiles.push_back(std::move(profile));
    return config;
}

}  // namespace warmlane::routing
