#include "warmlane/routing/scheduling_config.hpp"

#include <doctest/doctest.h>

namespace warmlane::routing {

TEST_CASE("scheduling_config: the default scores queue 2, KV cache 2, prefix 3") {
    struct Row {
        std::string type;
        double weight;
    };
    const Row rows[] = {{"queue-scorer", 2}, {"kv-cache-utilization-scorer", 2}, {"prefix-cache-scorer", 3}};
    const SchedulingConfig config = SchedulingConfig::default_config();
    REQUIRE(config.plugins.size() == 3);
    REQUIRE(config.profiles.size() == 1);
    CHECK(config.profiles[0].name == "default");
    REQUIRE(config.profiles[0].plugins.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CAPTURE(i);
        CHECK(config.plugins[i].name == rows[i].type);
        CHECK(config.plugins[i].type == rows[i].type);
        CHECK(config.plugins[i].path == "plugins[" + std::to_string(i) + "]");
        CHECK(config.profiles[0].plugins[i].name == rows[i].type);
        CHECK(config.profiles[0].plugins[i].weight == rows[i].weight);
    }
}

}  // namespace warmlane::routing
