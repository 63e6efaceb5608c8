#include "warmlane/routing/scheduler.hpp"

#include "routing/fake_plugins.hpp"
#include "support/fleet.hpp"
#include "support/requests.hpp"
#include "support/scheduling_json.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <thread>

namespace warmlane::routing {
namespace {

using test::journal;

std::unique_ptr<Scheduler> build(std::string_view config) {
    std::vector<ReadError> errors;
    auto scheduler = Scheduler::build(test::scheduling_config(config), test::fake_registry(), 1, errors);
    CHECK(test::joined(errors) == "");
    REQUIRE(scheduler != nullptr);
    journal.clear();
    return scheduler;
}

/// A scheduler over three endpoints that prefers `b`, then `c`, then `a`.
struct Fixture {
    explicit Fixture(std::string_view config = R"({"plugins": [
            {"type": "scorer", "parameters": {"a": 0.1, "b": 0.9, "c": 0.5}},
            {"type": "approx-prefix-cache-producer"}
        ]})")
        : scheduler(build(config)) {}

    Result<Decision> schedule(std::vector<const Endpoint*> excluded = {}) {
        return scheduler->schedule(request, fleet.pool, fleet.clock.now(), excluded);
    }
    std::string picked(std::vector<const Endpoint*> excluded = {}) {
        const Result<Decision> decision = schedule(std::move(excluded));
        return decision ? decision->picked.endpoint->name() : decision.error().message();
    }

    std::unique_ptr<Scheduler> scheduler;
    test::Fleet fleet{3};
    InferenceRequest request = test::make_request(std::string(400, 'x'));
};

/// So many decisions of a request of its own; stops when there is none.
void decide_often(const Fixture& f, std::size_t decisions) {
    InferenceRequest request = test::make_request("hello");
    for (std::size_t i = 0; i < decisions; ++i) {
        if (f.scheduler->schedule(request, f.fleet.pool, f.fleet.clock.now()).has_error()) {
            return;
        }
    }
}

/// Looks at the candidates that a scorer gets.
class Spy final : public Scorer {
public:
    void score(const InferenceRequest&, std::span<const Candidate> candidates, std::span<double>)
        const override {
        seen.assign(candidates.begin(), candidates.end());
    }
    static inline std::vector<Candidate> seen;
};

std::unique_ptr<Plugin> make_spy(JsonReader&) {
    return std::make_unique<Spy>();
}

std::vector<Candidate> candidates_of(const test::Fleet& fleet) {
    std::vector<PluginType> types(test::fake_registry().types().begin(), test::fake_registry().types().end());
    types.push_back({"spy", make_spy, ""});
    std::vector<ReadError> errors;
    const auto config = test::scheduling_config(R"({"plugins": [{"type": "spy"}]})");
    const auto scheduler = Scheduler::build(config, PluginRegistry(types), 1, errors);
    REQUIRE(scheduler != nullptr);
    Spy::seen.clear();
    REQUIRE(scheduler->explain(InferenceRequest(), fleet.pool, fleet.clock.now()).has_value());
    return Spy::seen;
}

}  // namespace

TEST_CASE("scheduler: the best endpoint that takes traffic and is not excluded is picked") {
    struct Row {
        const char* name;
        EndpointState b;
        EndpointState c;
        std::vector<std::size_t> excluded;
        std::string picked;
    };
    using enum EndpointState;
    const Row rows[] = {
        {"the best", up, up, {}, "b"},
        {"a suspect one still serves", suspect, up, {}, "b"},
        {"down", down, up, {}, "c"},
        {"draining", draining, up, {}, "c"},
        {"ejected", ejected, up, {}, "c"},
        {"two of three out", down, draining, {}, "a"},
        {"excluded", up, up, {1}, "c"},
        {"excluded and down", up, down, {1}, "a"},
        {"only excluded ones are left", up, down, {0, 1}, "b"},
        {"all excluded", up, up, {0, 1, 2}, "b"},
        {"excluded and out is out", down, down, {0, 1}, "a"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        Fixture f;
        f.fleet.pool.endpoints[1].state = row.b;
        f.fleet.pool.endpoints[2].state = row.c;
        std::vector<const Endpoint*> excluded;
        excluded.reserve(row.excluded.size());
        for (const std::size_t i : row.excluded) {
            excluded.push_back(&f.fleet.endpoint(i));
        }
        CHECK(f.picked(excluded) == row.picked);
    }
}

TEST_CASE("scheduler: an endpoint whose host name is not resolved is no candidate") {
    Fixture f;
    f.fleet.pool.endpoints[1].address.clear();
    CHECK(f.picked() == "c");
}

TEST_CASE("scheduler: nobody to serve is no_endpoint, nobody left by filters is saturated") {
    Fixture f;
    for (EndpointStatus& status : f.fleet.pool.endpoints) {
        status.state = EndpointState::down;
    }
    CHECK(f.schedule().error() == Errc::no_endpoint);
    CHECK(f.scheduler->explain(f.request, f.fleet.pool, f.fleet.clock.now()).error() == Errc::no_endpoint);
    f.fleet.pool.endpoints.clear();
    CHECK(f.schedule().error() == Errc::no_endpoint);

    Fixture filtered(R"({"plugins": [{"type": "filter", "parameters": {"drop": ["a", "b", "c"]}}]})");
    CHECK(filtered.schedule().error() == Errc::saturated);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK(filtered.fleet.endpoint(i).in_flight_requests == 0);
        CHECK(filtered.fleet.endpoint(i).decided_requests == 0);
    }
}

TEST_CASE("scheduler: a decision reserves its load until it is released, and is counted") {
    Fixture f;
    const Endpoint& winner = f.fleet.endpoint(1);
    {
        const Result<Decision> decision = f.schedule();
        REQUIRE(decision.has_value());
        CHECK(decision->picked.endpoint.get() == &winner);
        CHECK(decision->picked.address == "127.0.0.1");
        CHECK(decision->profile == "default");
        CHECK(decision->prefix_match.match_blocks == 1);
        CHECK(decision->prefix_match.total_blocks == 4);
        CHECK(decision->duration >= decision->lock_wait);
        CHECK(decision->lock_wait.count() >= 0);
        CHECK(decision->candidates.empty());
        CHECK(winner.in_flight_requests == 1);
        CHECK(winner.in_flight_tokens == 75);  // 400 bytes are 100 tokens, a quarter of them matched
        CHECK(winner.decided_requests == 1);
    }
    CHECK(winner.in_flight_requests == 0);
    CHECK(winner.in_flight_tokens == 0);
    CHECK(winner.decided_requests == 1);
    CHECK(winner.predicted_cached_tokens == 0);
}

TEST_CASE("scheduler: without a match the whole prompt counts as load") {
    Fixture f(R"({"plugins": [{"type": "scorer", "parameters": {"a": 1}}]})");
    const Result<Decision> decision = f.schedule();
    REQUIRE(decision.has_value());
    CHECK(decision->prefix_match.total_blocks == 0);
    CHECK(f.fleet.endpoint(0).in_flight_tokens == 100);
}

TEST_CASE("scheduler: the phases come in order, producers as declared") {
    Fixture f(R"({"plugins": [
        {"type": "other-producer"},
        {"type": "scorer", "parameters": {"c": 1}},
        {"type": "filter"},
        {"type": "approx-prefix-cache-producer"}
    ]})");
    f.scheduler->prepare(f.request);
    CHECK(f.request.model == "m+other+prefix");
    CHECK(journal.empty());
    CHECK(f.picked() == "c");
    CHECK(
        journal ==
        std::vector<std::string>{
            "produce other", "produce prefix", "filter", "score", "pick", "picked other c", "picked prefix c"
        }
    );
}

TEST_CASE("scheduler: what a producer believes is taken back, forgotten and summed up") {
    Fixture f(R"({"plugins": [{"type": "other-producer"}, {"type": "approx-prefix-cache-producer"},
                              {"type": "scorer", "parameters": {"b": 1}}]})");
    const Endpoint& b = f.fleet.endpoint(1);
    CHECK(f.scheduler->index_blocks(b) == 0);
    CHECK(f.scheduler->index_bytes() == 200);
    CHECK(f.picked() == "b");
    CHECK(f.picked() == "b");
    CHECK(f.scheduler->index_blocks(b) == 4);
    f.scheduler->unpick(f.request, b);
    CHECK(f.scheduler->index_blocks(b) == 2);
    f.scheduler->forget(b);
    CHECK(f.scheduler->index_blocks(b) == 0);
    CHECK(journal.back() == "forget prefix b");
}

TEST_CASE("scheduler: metrics count until they are stale") {
    test::Fleet fleet(2);
    const EndpointMetrics& page = fleet.show(0, 0, 0, 0);
    fleet.pool.endpoints[1].metrics.reset();
    fleet.clock.advance(fleet.pool.metrics_stale_after);
    const std::vector<Candidate> fresh = candidates_of(fleet);
    REQUIRE(fresh.size() == 2);
    CHECK(fresh[0].endpoint == &fleet.endpoint(0));
    CHECK(fresh[0].metrics == &page);
    CHECK(fresh[1].metrics == nullptr);

    fleet.clock.advance(std::chrono::nanoseconds(1));
    CHECK(candidates_of(fleet)[0].metrics == nullptr);
}

TEST_CASE("scheduler: a candidate carries its load, and what the scrape cannot show") {
    test::Fleet fleet(1);
    Endpoint& endpoint = fleet.endpoint(0);
    endpoint.in_flight_requests = 3;
    endpoint.in_flight_tokens = 700;
    endpoint.decided_requests = 9;
    EndpointMetrics& page = fleet.show(0, 0, 0, 0);
    page.decided_at_scrape = 5;
    const Candidate seen = candidates_of(fleet).at(0);
    CHECK(seen.in_flight_requests == 3);
    CHECK(seen.in_flight_tokens == 700);
    CHECK(seen.unseen_requests == 3);  // of four since the scrape, one has finished

    endpoint.in_flight_requests = 8;
    CHECK(candidates_of(fleet).at(0).unseen_requests == 4);

    page.decided_at_scrape = 12;
    CHECK(candidates_of(fleet).at(0).unseen_requests == 0);

    fleet.pool.endpoints[0].metrics.reset();
    CHECK(candidates_of(fleet).at(0).unseen_requests == 0);
}

TEST_CASE("scheduler: explain shows every endpoint that takes traffic, and changes nothing") {
    Fixture f(R"({"plugins": [
        {"type": "filter", "parameters": {"drop": ["b"]}},
        {"type": "scorer", "parameters": {"a": 0.25, "b": 1, "c": 0.5}},
        {"type": "approx-prefix-cache-producer"}
    ]})");
    const Result<Decision> decision = f.scheduler->explain(f.request, f.fleet.pool, f.fleet.clock.now());
    REQUIRE(decision.has_value());
    CHECK(decision->picked.endpoint->name() == "c");
    CHECK(decision->profile == "default");
    CHECK(decision->prefix_match.total_blocks == 4);
    REQUIRE(decision->candidates.size() == 3);
    struct Row {
        std::string endpoint;
        bool kept;
        double total;
    };
    const Row rows[] = {{"a", true, 0.25}, {"b", false, 0}, {"c", true, 0.5}};
    for (std::size_t i = 0; i < 3; ++i) {
        CAPTURE(rows[i].endpoint);
        const CandidateReport& report = decision->candidates[i];
        CHECK(report.endpoint == rows[i].endpoint);
        CHECK(report.kept == rows[i].kept);
        REQUIRE(report.filters.size() == 1);
        CHECK(report.filters[0].plugin == "filter");
        CHECK(report.filters[0].kept == rows[i].kept);
        CHECK(report.scores.size() == (rows[i].kept ? 1 : 0));
        CHECK(report.total == rows[i].total);
        CHECK(report.prefix_match.match_blocks == 1);
        CHECK(f.fleet.endpoint(i).in_flight_requests == 0);
        CHECK(f.fleet.endpoint(i).decided_requests == 0);
        CHECK(f.scheduler->index_blocks(f.fleet.endpoint(i)) == 0);
    }
}

TEST_CASE("scheduler: explain tells why nobody is left") {
    Fixture f(R"({"plugins": [{"type": "filter", "parameters": {"drop": ["a", "b", "c"]}}]})");
    const Result<Decision> decision = f.scheduler->explain(f.request, f.fleet.pool, f.fleet.clock.now());
    REQUIRE(decision.has_value());
    CHECK(decision->picked.endpoint == nullptr);
    REQUIRE(decision->candidates.size() == 3);
    CHECK_FALSE(decision->candidates[0].kept);
}

TEST_CASE("scheduler: the profile handler chooses the profile") {
    Fixture f(R"({"plugins": [
        {"type": "two-profile-handler"},
        {"name": "likes-a", "type": "scorer", "parameters": {"a": 1}},
        {"name": "likes-c", "type": "scorer", "parameters": {"c": 1}}
    ], "schedulingProfiles": [
        {"name": "plain", "plugins": [{"pluginRef": "likes-a"}]},
        {"name": "named", "plugins": [{"pluginRef": "likes-c"}]}
    ]})");
    Result<Decision> decision = f.schedule();
    REQUIRE(decision.has_value());
    CHECK(decision->profile == "named");
    CHECK(decision->picked.endpoint->name() == "c");
    f.request.model.clear();
    decision = f.schedule();
    REQUIRE(decision.has_value());
    CHECK(decision->profile == "plain");
    CHECK(decision->picked.endpoint->name() == "a");
}

TEST_CASE("scheduler: describe lists profiles as built") {
    const Fixture f(R"({"plugins": [
        {"type": "scorer"}, {"type": "filter"}, {"type": "prefix-scorer"}, {"type": "two-profile-handler"}
    ], "schedulingProfiles": [
        {"name": "one", "plugins": [{"pluginRef": "filter"}, {"pluginRef": "scorer", "weight": 2},
                                    {"pluginRef": "prefix-scorer", "weight": 0.5}]},
        {"name": "two", "plugins": []}
    ]})");
    CHECK(
        f.scheduler->describe() ==
        std::vector<std::string>{
            "one: filter, scorer 2, prefix-scorer 0.5, max-score-picker", "two: max-score-picker"
        }
    );
}

TEST_CASE("scheduler: decisions of many threads are one at a time") {
    Fixture f;
    constexpr std::size_t kThreads = 4;
    constexpr std::size_t kDecisions = 200;
    {
        std::vector<std::jthread> threads(kThreads);
        for (std::jthread& thread : threads) {
            thread = std::jthread(decide_often, std::cref(f), kDecisions);
        }
    }
    CHECK(f.fleet.endpoint(1).decided_requests == kThreads * kDecisions);
    CHECK(f.fleet.endpoint(1).in_flight_requests == 0);
    CHECK(f.scheduler->index_blocks(f.fleet.endpoint(1)) == kThreads * kDecisions);
}

}  // namespace warmlane::routing
