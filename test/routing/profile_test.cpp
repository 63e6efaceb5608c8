#include "warmlane/routing/profile.hpp"

#include "routing/fake_plugins.hpp"
#include "support/fleet.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace warmlane::routing {
namespace {

using test::FakeFilter;
using test::FakePicker;
using test::FakeScorer;
using test::journal;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A profile with a picker, run over three endpoints.
struct Fixture {
    Fixture() {
        journal.clear();
        profile.picker = &picker;
        for (std::size_t i = 0; i < 3; ++i) {
            Candidate& candidate = work.candidates.emplace_back();
            candidate.endpoint = &fleet.endpoint(i);
            reports.emplace_back().endpoint = candidate.endpoint->name();
        }
    }
    void run() { profile.run(InferenceRequest(), work, random, &reports); }
    std::string ranking() const {
        std::string names;
        for (const ScoredCandidate& ranked : work.ranked) {
            names += work.candidates[ranked.index].endpoint->name();
        }
        return names;
    }

    test::Fleet fleet{3};
    FakePicker picker;
    SchedulingProfile profile{"default"};
    Workspace work;
    RandomEngine random{1};
    std::vector<CandidateReport> reports;
};

}  // namespace

TEST_CASE("profile: the total is the weighted sum of clamped scores, never normalised") {
    struct Row {
        const char* name;
        double first;
        double second;
        double total;
    };
    // Weights 2 and 3.
    const Row rows[] = {
        {"both in range", 0.5, 0.25, 1.75},
        {"both full", 1, 1, 5},
        {"both zero", 0, 0, 0},
        {"above 1 counts as 1", 7, 0, 2},
        {"infinite counts as 1", kInfinity, 0, 2},
        {"below 0 counts as 0", -1, 1, 3},
        {"NaN counts as 0 and does not poison the sum", kNan, 0.5, 1.5},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        Fixture f;
        const FakeScorer first({{"a", row.first}});
        const FakeScorer second({{"a", row.second}});
        f.profile.scorers = {{"first", &first, 2}, {"second", &second, 3}};
        f.run();
        REQUIRE(f.work.ranked.size() == 3);
        CHECK(f.reports[0].total == row.total);
        for (const ScoredCandidate& ranked : f.work.ranked) {
            CHECK(ranked.total == (ranked.index == 0 ? row.total : 0.0));
        }
    }
}

TEST_CASE("profile: the highest total wins and the fallbacks follow in order") {
    Fixture f;
    const FakeScorer scorer({{"a", 0.2}, {"b", 0.9}, {"c", 0.5}});
    f.profile.scorers = {{"scorer", &scorer, 1}};
    f.run();
    CHECK(f.ranking() == "bca");
}

TEST_CASE("profile: a scorer of weight 0 has no say") {
    Fixture f;
    const FakeScorer loud({{"c", 1}});
    const FakeScorer quiet({{"b", 0.1}});
    f.profile.scorers = {{"loud", &loud, 0}, {"quiet", &quiet, 1}};
    f.run();
    CHECK(f.ranking() == "bac");
}

TEST_CASE("profile: without scorers every total is 0 and the picker decides") {
    Fixture f;
    f.run();
    CHECK(f.ranking() == "abc");
    CHECK(f.work.ranked[0].total == 0);
}

TEST_CASE("profile: filters run in order, each on the survivors of the one before") {
    Fixture f;
    FakeFilter first({"a"});
    FakeFilter second({"a", "c"});
    const FakeScorer scorer({{"b", 0.5}});
    f.profile.filters = {{"first", &first}, {"second", &second}};
    f.profile.scorers = {{"scorer", &scorer, 2}};
    f.run();
    CHECK(f.ranking() == "b");
    CHECK(journal == std::vector<std::string>{"filter", "filter", "score", "pick"});

    CHECK_FALSE(f.reports[0].kept);
    REQUIRE(f.reports[0].filters.size() == 1);
    CHECK(f.reports[0].filters[0].plugin == "first");
    CHECK_FALSE(f.reports[0].filters[0].kept);
    CHECK(f.reports[0].scores.empty());

    CHECK(f.reports[1].kept);
    REQUIRE(f.reports[1].filters.size() == 2);
    CHECK(f.reports[1].filters[1].kept);
    REQUIRE(f.reports[1].scores.size() == 1);
    CHECK(f.reports[1].scores[0].plugin == "scorer");
    CHECK(f.reports[1].scores[0].score == 0.5);
    CHECK(f.reports[1].scores[0].weight == 2);
    CHECK(f.reports[1].total == 1);

    CHECK_FALSE(f.reports[2].kept);
    REQUIRE(f.reports[2].filters.size() == 2);
    CHECK(f.reports[2].filters[0].kept);
    CHECK_FALSE(f.reports[2].filters[1].kept);
}

TEST_CASE("profile: nothing runs after a filter that leaves nobody") {
    Fixture f;
    FakeFilter all({"a", "b", "c"});
    FakeFilter never({});
    const FakeScorer scorer({{"a", 1}});
    f.profile.filters = {{"all", &all}, {"never", &never}};
    f.profile.scorers = {{"scorer", &scorer, 1}};
    f.run();
    CHECK(f.work.ranked.empty());
    CHECK(journal == std::vector<std::string>{"filter"});
}

TEST_CASE("profile: scores of one run do not leak into the next") {
    Fixture f;
    const FakeScorer scorer({{"a", 1}});
    f.profile.scorers = {{"scorer", &scorer, 1}};
    f.run();
    f.profile.scorers.clear();
    f.run();
    CHECK(f.work.ranked[0].total == 0);
}

}  // namespace warmlane::routing
