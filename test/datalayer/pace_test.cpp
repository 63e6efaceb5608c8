#include "datalayer/pace.hpp"

#include "support/fake_clock.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace warmlane::datalayer {

using namespace std::chrono_literals;

TEST_CASE("pace: rounds begin about every interval, spread by a tenth") {
    Pace pace(7);
    Duration shortest = 1h;
    Duration longest{0};
    for (int i = 0; i < 1'000; ++i) {
        const Duration pause = pace.pause(200ms, 50ms);
        shortest = std::min(shortest, pause);
        longest = std::max(longest, pause);
    }
    CHECK(shortest >= 130ms);
    CHECK(shortest < 135ms);
    CHECK(longest <= 170ms);
    CHECK(longest > 165ms);
}

TEST_CASE("pace: a round that took too long is followed by half an interval of rest") {
    Pace pace(7);
    CHECK(pace.pause(200ms, 150ms) == 100ms);
    CHECK(pace.pause(200ms, 10s) == 100ms);
}

TEST_CASE("pace: two loops do not keep step") {
    Pace one(1);
    Pace other(2);
    int equal = 0;
    for (int i = 0; i < 100; ++i) {
        equal += one.pause(200ms, 0ms) == other.pause(200ms, 0ms) ? 1 : 0;
    }
    CHECK(equal < 5);
}

TEST_CASE("rare line: one in ten seconds") {
    test::FakeClock clock;
    RareLine line;
    CHECK(line.due(clock.now()));
    CHECK_FALSE(line.due(clock.now()));
    clock.advance(9'999ms);
    CHECK_FALSE(line.due(clock.now()));
    clock.advance(1ms);
    CHECK(line.due(clock.now()));
    CHECK_FALSE(line.due(clock.now()));
}

}  // namespace warmlane::datalayer
