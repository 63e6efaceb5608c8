#include "plugins/make_plugin.hpp"

namespace warmlane::plugins {

TEST_CASE("weighted-random-picker: the odds are in proportion to the totals") {
    struct Row {
        const char* name;
        std::vector<double> totals;
        std::vector<double> shares;
    };
    const Row rows[] = {
        {"one to nine", {10, 90}, {0.1, 0.9}},
        {"equals", {100, 100, 100}, {1.0 / 3, 1.0 / 3, 1.0 / 3}},
        {"nothing has no chance", {30, 0}, {1, 0}},
        {"five", {100, 90, 50, 30, 20}, {100.0 / 290, 90.0 / 290, 50.0 / 290, 30.0 / 290, 20.0 / 290}},
        {"tiny totals do not underflow", {1e-6, 3e-6}, {0.25, 0.75}},
        {"all zero is plain chance", {0, 0, 0, 0}, {0.25, 0.25, 0.25, 0.25}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const std::vector<double> shares = test::shares_of("weighted-random-picker", row.totals);
        for (std::size_t i = 0; i < shares.size(); ++i) {
            CAPTURE(i);
            CHECK(std::abs(shares[i] - row.shares[i]) < 0.05);
            CHECK((shares[i] == 0) == (row.shares[i] == 0));
        }
    }
}

TEST_CASE("weighted-random-picker: draws without replacement, those without a chance last") {
    const auto picker =
        test::make_plugin<routing::Picker>("weighted-random-picker", R"({"maxNumOfEndpoints": 3})");
    routing::RandomEngine random(3);
    for (int i = 0; i < 100; ++i) {
        std::vector<routing::ScoredCandidate> candidates = {{0, 0}, {1, 5}, {2, 7}};
        picker->pick(candidates, random);
        REQUIRE(candidates.size() == 3);
        CHECK(candidates[0].index + candidates[1].index == 3);
        CHECK(candidates[2].index == 0);
        CHECK(candidates[0].total == (candidates[0].index == 1 ? 5 : 7));
    }
}

TEST_CASE("weighted-random-picker: unknown parameters are refused") {
    CHECK(test::complaint("weighted-random-picker", R"({"x": 2})") == "parameters.x: unknown key 'x'");
}

}  // namespace warmlane::plugins
