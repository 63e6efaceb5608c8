#include "plugins/make_plugin.hpp"

#include <algorithm>

namespace warmlane::plugins {

TEST_CASE("random-picker: every candidate wins equally often, whatever its total") {
    for (const double share : test::shares_of("random-picker", {10, 0, 25, 15})) {
        CHECK(std::abs(share - 0.25) < 0.05);
    }
}

TEST_CASE("random-picker: gives as many different ones as asked for") {
    const auto picker = test::make_plugin<routing::Picker>("random-picker", R"({"maxNumOfEndpoints": 2})");
    routing::RandomEngine random(3);
    for (int i = 0; i < 100; ++i) {
        std::vector<routing::ScoredCandidate> candidates = {{0, 1}, {1, 2}, {2, 3}};
        picker->pick(candidates, random);
        REQUIRE(candidates.size() == 2);
        CHECK(candidates[0].index != candidates[1].index);
    }
}

TEST_CASE("random-picker: unknown parameters are refused") {
    CHECK(test::complaint("random-picker", R"({"seed": 2})") == "parameters.seed: unknown key 'seed'");
}

}  // namespace warmlane::plugins
