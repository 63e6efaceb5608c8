// Whole decisions by the shipped plugins: what a client of the pool sees.
#include "plugins/make_plugin.hpp"

#include <map>

namespace warmlane::plugins {
namespace {

constexpr const char* kDefault = R"({
    "plugins": [{"type": "queue-scorer"}, {"type": "kv-cache-utilization-scorer"}, {"type": "prefix-cache-scorer"}],
    "schedulingProfiles": [{"name": "default", "plugins": [
        {"pluginRef": "queue-scorer", "weight": 2}, {"pluginRef": "kv-cache-utilization-scorer", "weight": 2},
        {"pluginRef": "prefix-cache-scorer", "weight": 3}]}]})";

/// With equal queues only the prefix decides.
constexpr const char* kAffinity = R"({
    "plugins": [{"type": "queue-scorer"}, {"type": "prefix-cache-scorer"}],
    "schedulingProfiles": [{"name": "default", "plugins": [
        {"pluginRef": "prefix-cache-scorer", "weight": 1}, {"pluginRef": "queue-scorer", "weight": 2}]}]})";

/// With equal queues an unmatched endpoint of empty cache wins exactly when the other's usage is above its
/// match.
constexpr const char* kBracket = R"({
    "plugins": [{"type": "queue-scorer"}, {"type": "kv-cache-utilization-scorer"}, {"type": "prefix-cache-scorer"}],
    "schedulingProfiles": [{"name": "default", "plugins": [
        {"pluginRef": "prefix-cache-scorer", "weight": 1}, {"pluginRef": "kv-cache-utilization-scorer", "weight": 1},
        {"pluginRef": "queue-scorer", "weight": 10}]}]})";

constexpr const char* kNoPrefix = R"({
    "plugins": [{"type": "queue-scorer"}, {"type": "kv-cache-utilization-scorer"}]})";

std::string blocks_of(std::string_view name, std::size_t blocks) {
    std::string text;
    for (std::size_t i = 0; i < blocks; ++i) {
        std::string block = std::string(name) + " " + std::to_string(i) + " ";
        block.resize(256, '.');
        text += block;
    }
    return text;
}

/// A scheduler and its endpoints, named `a`, `b`, ...
struct Router {
    Router(const char* config, std::size_t endpoints, std::uint64_t seed = 1)
        : scheduler(test::make_scheduler(config, seed)), fleet(endpoints) {}

    routing::Decision decide(InferenceRequest request, std::vector<const Endpoint*> excluded = {}) const {
        scheduler->prepare(request);
        auto decision = scheduler->schedule(request, fleet.pool, fleet.clock.now(), excluded);
        REQUIRE(decision.has_value());
        return std::move(*decision);
    }
    /// The endpoint of a request that is answered at once.
    std::string send(InferenceRequest request) const {
        return decide(std::move(request)).picked.endpoint->name();
    }
    std::string send(std::string prompt) const { return send(test::make_request(std::move(prompt))); }

    /// A request that stays in flight.
    std::string hold(std::string prompt) {
        held.push_back(decide(test::make_request(std::move(prompt))));
        return held.back().picked.endpoint->name();
    }

    /// Sends a prompt to endpoint `i` whatever the scores say.
    void force(std::size_t i, InferenceRequest request) {
        std::vector<const Endpoint*> others;
        for (std::size_t j = 0; j < fleet.pool.endpoints.size(); ++j) {
            if (j != i) {
                others.push_back(&fleet.endpoint(j));
            }
        }
        CHECK(decide(std::move(request), others).picked.endpoint.get() == &fleet.endpoint(i));
    }
    void force(std::size_t i, std::string prompt) { force(i, test::make_request(std::move(prompt))); }

    /// `match/total` of each endpoint, as explain shows it.
    std::string matches(InferenceRequest request) const {
        scheduler->prepare(request);
        const auto decision = scheduler->explain(request, fleet.pool, fleet.clock.now());
        REQUIRE(decision.has_value());
        std::string text;
        for (const routing::CandidateReport& report : decision->candidates) {
            text += (text.empty() ? "" : " ") + std::to_string(report.prefix_match.match_blocks) + "/" +
                    std::to_string(report.prefix_match.total_blocks);
        }
        return text;
    }
    std::string matches(std::string prompt) const { return matches(test::make_request(std::move(prompt))); }

    std::unique_ptr<routing::Scheduler> scheduler;
    test::Fleet fleet;
    std::vector<routing::Decision> held;
};

}  // namespace

TEST_CASE("decisions: the longest match wins and then holds the whole prompt") {
    Router router(kAffinity, 2);
    router.force(0, blocks_of("x", 2));
    router.force(1, blocks_of("x", 3));
    CHECK(router.matches(blocks_of("x", 5)) == "2/5 3/5");
    const routing::Decision decision = router.decide(test::make_request(blocks_of("x", 5)));
    CHECK(decision.picked.endpoint->name() == "b");
    CHECK(decision.prefix_match.match_blocks == 3);
    CHECK(decision.prefix_match.total_blocks == 5);
    CHECK(router.fleet.endpoint(1).in_flight_tokens == 128);  // two of five blocks of 64 tokens
    CHECK(router.matches(blocks_of("x", 5)) == "2/5 5/5");
}

TEST_CASE("decisions: prompts shorter than a block have affinity, empty ones have none") {
    Router router(kAffinity, 2);
    const std::string first = router.send("hello you!");
    for (int i = 0; i < 4; ++i) {
        CHECK(router.send("hello you!") == first);
    }
    CHECK(router.matches("hello me!!") == "0/1 0/1");
    CHECK(router.matches("") == "0/0 0/0");
    std::map<std::string, int> picks;
    for (int i = 0; i < 40; ++i) {
        ++picks[router.send("")];
    }
    CHECK(picks["a"] >= 8);
    CHECK(picks["b"] >= 8);
    CHECK(router.matches(" ") == "0/1 0/1");
}

TEST_CASE("decisions: a conversation that grew matches the exact share of its blocks") {
    struct Row {
        double usage;
        std::string picked;
    };
    const Row rows[] = {{0.40, "a"}, {0.45, "a"}, {0.55, "b"}, {0.60, "b"}};
    for (const Row& row : rows) {
        CAPTURE(row.usage);
        Router router(kBracket, 2);
        router.force(0, std::string(600, 'a'));
        router.fleet.show(0, 0, 0, row.usage);
        router.fleet.show(1, 0, 0, 0);
        CHECK(router.matches(std::string(900, 'a')) == "2/4 0/4");
        CHECK(router.matches(std::string(600, 'a')) == "3/3 0/3");
        CHECK(router.send(std::string(900, 'a')) == row.picked);
    }
}

TEST_CASE("decisions: a cache salt keeps tenants apart") {
    Router router(kAffinity, 2);
    const auto salted = [](std::string salt) {
        return test::make_request(blocks_of("x", 4), "m", std::move(salt));
    };
    router.force(0, salted("s1"));
    CHECK(router.matches(salted("")) == "0/4 0/4");
    std::map<std::string, int> fresh;
    for (int i = 0; i < 40; ++i) {
        ++fresh[router.send(salted("fresh " + std::to_string(i)))];
    }
    CHECK(fresh["a"] >= 8);
    CHECK(fresh["b"] >= 8);
    for (int i = 0; i < 5; ++i) {
        CHECK(router.send(salted("s1")) == "a");
    }
}

TEST_CASE("decisions: a base model and its adapters do not share prompts") {
    Router router(kAffinity, 2);
    const auto asked = [](std::string model) {
        return test::make_request(blocks_of("x", 4), std::move(model));
    };
    router.force(0, asked("base"));
    CHECK(router.matches(asked("base-lora-7")) == "0/4 0/4");
    CHECK(router.matches(asked("other")) == "0/4 0/4");
    CHECK(router.send(asked("base")) == "a");
}

TEST_CASE("decisions: a burst against equal endpoints spreads evenly") {
    Router router(kDefault, 4);
    std::map<std::string, int> picks;
    for (int i = 0; i < 64; ++i) {
        ++picks[router.hold(blocks_of("prompt " + std::to_string(i), 2))];
    }
    REQUIRE(picks.size() == 4);
    for (const auto& [name, count] : picks) {
        CAPTURE(name);
        CHECK(count == 16);
    }
}

TEST_CASE("decisions: a burst does not herd onto the endpoint whose last scrape looked best") {
    Router router(kDefault, 4);
    for (std::size_t i = 1; i < 4; ++i) {
        router.fleet.show(i, 1, 0, 0);
    }
    std::map<std::string, int> picks;
    for (int i = 0; i < 64; ++i) {
        ++picks[router.hold(blocks_of("prompt " + std::to_string(i), 2))];
    }
    CHECK(picks["a"] >= 16);
    CHECK(picks["a"] <= 20);
}

TEST_CASE("decisions: ties are not won by the place in the configuration") {
    for (const bool reversed : {false, true}) {
        CAPTURE(reversed);
        Router router(kNoPrefix, 3);
        if (reversed) {
            std::reverse(router.fleet.pool.endpoints.begin(), router.fleet.pool.endpoints.end());
        }
        std::map<std::string, int> picks;
        for (int i = 0; i < 300; ++i) {
            ++picks[router.send(blocks_of("prompt " + std::to_string(i), 1))];
        }
        for (const char* name : {"a", "b", "c"}) {
            CAPTURE(name);
            CHECK(picks[name] >= 70);
            CHECK(picks[name] <= 130);
        }
    }
}

TEST_CASE("decisions: a good value stops attracting traffic when it is stale") {
    Router router(kNoPrefix, 2);
    const auto picks_of_a = [&router](int requests) {
        int picks = 0;
        for (int i = 0; i < requests; ++i) {
            picks += router.send("hello") == "a" ? 1 : 0;
        }
        return picks;
    };
    router.fleet.show(1, 1, 0, 0);
    CHECK(picks_of_a(20) == 20);
    router.fleet.clock.advance(router.fleet.pool.metrics_stale_after + std::chrono::milliseconds(1));
    router.fleet.show(1, 1, 0, 0);
    const int picks = picks_of_a(100);
    CHECK(picks >= 30);
    CHECK(picks <= 70);
}

TEST_CASE("decisions: when every scrape is stale requests still spread") {
    Router router(kDefault, 2);
    router.fleet.clock.advance(std::chrono::hours(1));
    std::map<std::string, int> picks;
    for (int i = 0; i < 20; ++i) {
        ++picks[router.send("prompt " + std::to_string(i))];
    }
    CHECK(picks["a"] >= 3);
    CHECK(picks["b"] >= 3);
}

TEST_CASE("decisions: the capacity of an endpoint is honoured") {
    const char* const config = R"({
        "plugins": [{"type": "queue-scorer"}, {"type": "prefix-cache-scorer"},
                    {"type": "approx-prefix-cache-producer", "parameters": {"lruCapacityPerServer": 8}}],
        "schedulingProfiles": [{"name": "default", "plugins": [
            {"pluginRef": "prefix-cache-scorer", "weight": 1}, {"pluginRef": "queue-scorer", "weight": 2}]}]})";
    Router router(config, 2);
    for (const char* name : {"A", "B", "C"}) {
        router.force(0, blocks_of(name, 4));
        CHECK(router.scheduler->index_blocks(router.fleet.endpoint(0)) <= 8);
    }
    CHECK(router.matches(blocks_of("A", 4)) == "0/4 0/4");
    CHECK(router.matches(blocks_of("B", 4)) == "4/4 0/4");
    CHECK(router.matches(blocks_of("C", 4)) == "4/4 0/4");
    CHECK(router.send(blocks_of("C", 4)) == "a");
}

TEST_CASE("decisions: a weight of 0 disables a scorer, and all 0 is plain chance") {
    const auto picks_of = [](const char* queue, const char* prefix, int requests, bool same_prompt) {
        const std::string config = R"({
            "plugins": [{"type": "queue-scorer"}, {"type": "prefix-cache-scorer"}],
            "schedulingProfiles": [{"name": "default", "plugins": [{"pluginRef": "queue-scorer", "weight": )" +
                                   std::string(queue) +
                                   R"(}, {"pluginRef": "prefix-cache-scorer", "weight": )" +
                                   std::string(prefix) + "}]}]}";
        Router router(config.c_str(), 2);
        std::map<std::string, int> picks;
        for (int i = 0; i < requests; ++i) {
            ++picks[router.send(same_prompt ? "X" : "prompt " + std::to_string(i))];
        }
        return picks;
    };
    auto unmatched = picks_of("1", "0", 40, true);
    CHECK(unmatched["a"] >= 10);
    CHECK(unmatched["b"] >= 10);
    auto matched = picks_of("1", "1", 40, true);
    CHECK(matched.size() == 1);
    auto chance = picks_of("0", "0", 60, false);
    CHECK(chance["a"] >= 15);
    CHECK(chance["b"] >= 15);
}

TEST_CASE("decisions: an endpoint that is down takes nothing, and an empty pool says so") {
    Router router(kDefault, 2);
    router.force(0, blocks_of("x", 4));
    router.fleet.pool.endpoints[0].state = EndpointState::down;
    CHECK(router.send(blocks_of("x", 4)) == "b");
    router.fleet.pool.endpoints[1].state = EndpointState::ejected;
    InferenceRequest request = test::make_request("hello");
    router.scheduler->prepare(request);
    const auto decision = router.scheduler->schedule(request, router.fleet.pool, router.fleet.clock.now());
    CHECK(decision.error() == Errc::no_endpoint);
}

TEST_CASE("decisions: twenty copies of a new prompt at once find each other") {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        CAPTURE(seed);
        Router router(kDefault, 4, seed);
        const std::string first = router.hold(blocks_of("new", 64));
        for (int i = 1; i < 20; ++i) {
            CHECK(router.hold(blocks_of("new", 64)) == first);
        }
    }
}

TEST_CASE("decisions: a retry moves the record to the endpoint that got the request") {
    Router router(kDefault, 2);
    InferenceRequest request = test::make_request(blocks_of("x", 4));
    router.scheduler->prepare(request);
    const TimePoint now = router.fleet.clock.now();
    auto first = router.scheduler->schedule(request, router.fleet.pool, now);
    REQUIRE(first.has_value());
    const Endpoint* failed = first->picked.endpoint.get();
    router.scheduler->unpick(request, *failed);
    first = Errc::connect_failed;
    const Endpoint* const excluded[] = {failed};
    const auto second = router.scheduler->schedule(request, router.fleet.pool, now, excluded);
    REQUIRE(second.has_value());
    CHECK(second->picked.endpoint.get() != failed);
    CHECK(failed->in_flight_requests == 0);
    CHECK(router.scheduler->index_blocks(*failed) == 0);
    CHECK(router.scheduler->index_blocks(*second->picked.endpoint) == 4);
}

TEST_CASE("decisions: an endpoint that never answered a scrape serves, and is not drowned") {
    Router router(kDefault, 3);
    router.fleet.pool.endpoints[0].metrics.reset();
    router.fleet.show(1, 0, 0, 0.2);
    router.fleet.show(2, 9, 0, 0.8);
    CHECK(router.send("hello") == "b");
    router.fleet.show(1, 9, 0, 0.8);
    std::map<std::string, int> picks;
    for (int i = 0; i < 60; ++i) {
        ++picks[router.send("prompt " + std::to_string(i))];
    }
    CHECK(picks["a"] >= 8);
    CHECK(picks["a"] <= 35);
}

}  // namespace warmlane::plugins
