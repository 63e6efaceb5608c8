#include "plugins/make_plugin.hpp"

#include <set>

namespace warmlane::plugins {
namespace {

std::vector<std::size_t> pick(const std::vector<double>& totals, const char* parameters, std::uint64_t seed) {
    std::vector<routing::ScoredCandidate> candidates;
    candidates.reserve(totals.size());
    for (std::size_t i = 0; i < totals.size(); ++i) {
        candidates.push_back({i, totals[i]});
    }
    routing::RandomEngine random(seed);
    test::make_plugin<routing::Picker>("max-score-picker", parameters)->pick(candidates, random);
    std::vector<std::size_t> picked;
    picked.reserve(candidates.size());
    for (const routing::ScoredCandidate& candidate : candidates) {
        picked.push_back(candidate.index);
    }
    return picked;
}

}  // namespace

TEST_CASE("max-score-picker: the highest total wins, always") {
    const std::vector<double> shares = test::shares_of("max-score-picker", {10, 25, 15});
    CHECK(shares[1] == doctest::Approx(1));
    CHECK(shares[0] == 0);
    CHECK(shares[2] == 0);
}

TEST_CASE("max-score-picker: equals win equally often, wherever they stand") {
    struct Row {
        const char* name;
        std::vector<double> totals;
        std::vector<double> shares;
    };
    const Row rows[] = {
        {"three equals", {1, 1, 1}, {1.0 / 3, 1.0 / 3, 1.0 / 3}},
        {"all zero", {0, 0}, {0.5, 0.5}},
        {"first and last", {2, 1, 2}, {0.5, 0, 0.5}},
        {"last two of four", {0, 1, 2, 2}, {0, 0, 0.5, 0.5}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const std::vector<double> shares = test::shares_of("max-score-picker", row.totals);
        for (std::size_t i = 0; i < shares.size(); ++i) {
            CAPTURE(i);
            CHECK(std::abs(shares[i] - row.shares[i]) < 0.05);
            CHECK((shares[i] == 0) == (row.shares[i] == 0));
        }
    }
}

TEST_CASE("max-score-picker: gives as many as asked for, best first, equals in random order") {
    std::set<std::vector<std::size_t>> seen;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        seen.insert(pick({5, 9, 5, 1}, R"({"maxNumOfEndpoints": 3})", seed));
    }
    CHECK(seen == std::set<std::vector<std::size_t>>{{1, 0, 2}, {1, 2, 0}});
    CHECK(pick({5, 9}, R"({"maxNumOfEndpoints": 10})", 1) == std::vector<std::size_t>{1, 0});
    CHECK(pick({5, 9}, R"({"maxNumOfEndpoints": 0})", 1) == std::vector<std::size_t>{1});
    CHECK(pick({5, 9}, R"({"maxNumOfEndpoints": -3})", 1) == std::vector<std::size_t>{1});
    CHECK(pick({5}, "{}", 1) == std::vector<std::size_t>{0});
}

TEST_CASE("max-score-picker: parameters are checked") {
    CHECK(
        test::complaint("max-score-picker", R"({"maxNumOfEndpoints": "2"})") ==
        "parameters.maxNumOfEndpoints: expected an integer, got a string"
    );
    CHECK(
        test::complaint("max-score-picker", R"({"maxNumOfEndpoint": 2})") ==
        "parameters.maxNumOfEndpoint: unknown key 'maxNumOfEndpoint'; did you mean 'maxNumOfEndpoints'?"
    );
}

}  // namespace warmlane::plugins
