#include "plugins/make_plugin.hpp"

namespace warmlane::plugins {

TEST_CASE("single-profile-handler: chooses the one profile and allows no more") {
    const auto handler = test::make_plugin<routing::ProfileHandler>("single-profile-handler");
    CHECK(handler->profiles_max() == 1);
    const std::vector<routing::SchedulingProfile> profiles(1, routing::SchedulingProfile("default"));
    CHECK(handler->choose(InferenceRequest(), profiles) == 0);
}

TEST_CASE("single-profile-handler: takes no parameters") {
    CHECK(test::complaint("single-profile-handler", R"({"x": 1})") == "parameters.x: unknown key 'x'");
}

}  // namespace warmlane::plugins
