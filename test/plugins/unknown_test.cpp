#include "plugins/unknown.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace warmlane::plugins {

TEST_CASE("unknown: a metric is known when it is a number from 0 up") {
    CHECK(known_or_unknown(0.0) == 0);
    CHECK(known_or_unknown(3.5) == 3.5);
    CHECK(std::isnan(known_or_unknown(std::nullopt)));
    CHECK(std::isnan(known_or_unknown(-1.0)));
    CHECK(std::isnan(known_or_unknown(kUnknown)));
    CHECK(std::isnan(known_or_unknown(std::numeric_limits<double>::infinity())));
}

TEST_CASE("unknown: the unknown get the mean of the known") {
    std::vector<double> scores = {0.25, kUnknown, 0.75, kUnknown};
    fill_unknown(scores);
    CHECK(scores == std::vector<double>{0.25, 0.5, 0.75, 0.5});
    scores = {kUnknown, 1.0};
    fill_unknown(scores);
    CHECK(scores == std::vector<double>{1, 1});
    scores = {kUnknown};
    fill_unknown(scores);
    CHECK(scores == std::vector<double>{0.5});
    scores.clear();
    fill_unknown(scores);
    score_lowest_best(scores);
    CHECK(scores.empty());
}

}  // namespace warmlane::plugins
