#include "datalayer/health_rules.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace warmlane::datalayer {
namespace {

/// Events: `a` a request answered, `c` one that found no connection, `b` one that broke, `u` one that was
/// unavailable, `S` an own connection made, `s` one that failed, `P` a probe answered.
void play(HealthRules& rules, char event) {
    switch (event) {
        case 'a': rules.on_request(Contact::answered); return;
        case 'c': rules.on_request(Contact::connect_failed); return;
        case 'b': rules.on_request(Contact::broken); return;
        case 'u': rules.on_request(Contact::unavailable); return;
        case 'S': rules.on_own_connection(true); return;
        case 's': rules.on_own_connection(false); return;
        case 'P': rules.on_probe_answered(); return;
        default: FAIL("no such event");
    }
}

HealthRules known_endpoint() {
    HealthRules rules(3);
    rules.on_own_connection(true);
    return rules;
}

/// The first letter of the state after each event.
std::string states_after(std::string_view events, HealthRules rules) {
    std::string states;
    for (const char event : events) {
        play(rules, event);
        CHECK((rules.failures() == 0) == (rules.state() == EndpointState::up));
        states += to_string(rules.state())[0];
    }
    return states;
}

}  // namespace

TEST_CASE("health: what contacts do to the state") {
    struct Row {
        const char* name;
        std::string_view events;
        std::string_view states;
    };
    const Row rows[] = {
        {"answers keep it up", "aaa", "uuu"},
        {"broken requests take it down", "bbb", "ssd"},
        {"requests without a connection take it down", "ccc", "ssd"},
        {"both kinds of request failures count together", "bcb", "ssd"},
        {"an answer between them begins anew", "bbabba", "ssussu"},
        {"scrapes without a connection take it down", "sss", "ssd"},
        {"a scrape that connects takes back what scrapes said", "ssSs", "ssus"},
        {"a scrape that connects does not take back what requests said", "bSbSb", "ssssd"},
        {"failures of two kinds are not one run", "bsbs", "ssss"},
        {"an answer takes back what scrapes said", "ssas", "ssus"},
        {"unavailable is suspect and never down", "uuuuuuuu", "ssssssss"},
        {"unavailable does not complete a run", "bbubu", "sssdd"},
        {"an answer ends unavailable", "ua", "su"},
        {"a scrape does not end unavailable", "uS", "ss"},
        {"scrapes go on while down and change nothing", "cccSS", "ssddd"},
        {"a probe ends down after failed connections", "cccP", "ssdu"},
        {"a probe ends down after failed scrapes", "sssP", "ssdu"},
        {"after broken requests a probe makes it suspect", "bbbP", "ssds"},
        {"then the next broken request takes it down", "bbbPb", "ssdsd"},
        {"then an answer makes it up with full credit", "bbbPabb", "ssdsuss"},
        {"the circle goes on as long as requests break", "bbbPbPbP", "ssdsdsds"},
        {"a late answer proves life", "bbba", "ssdu"},
        {"a probe of an endpoint that is up says nothing", "P", "u"},
        {"a probe of a suspect one says nothing", "bP", "ss"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(states_after(row.events, known_endpoint()) == row.states);
    }
}

TEST_CASE("health: an endpoint that never was reached is down at its first failed connection") {
    CHECK(states_after("s", HealthRules(3)) == "d");
    CHECK(states_after("c", HealthRules(3)) == "d");
    CHECK(states_after("sP", HealthRules(3)) == "du");
    CHECK(states_after("b", HealthRules(3)) == "s");
    CHECK(states_after("u", HealthRules(3)) == "s");
    CHECK(states_after("as", HealthRules(3)) == "us");
}

TEST_CASE("health: one failure is enough where the limit says so, and it can come back") {
    HealthRules rules(1);
    rules.on_own_connection(true);
    rules.on_request(Contact::broken);
    CHECK(rules.state() == EndpointState::down);
    rules.on_probe_answered();
    CHECK(rules.state() == EndpointState::suspect);
    CHECK(rules.failures() > 0);
    rules.on_request(Contact::answered);
    CHECK(rules.state() == EndpointState::up);
}

TEST_CASE("health: it tells whether the process may have gone away while it was down") {
    struct Row {
        const char* name;
        std::string_view events;
        bool unreachable;
    };
    const Row rows[] = {
        {"down by broken requests", "bbb", false},
        {"down by failed connections", "ccc", true},
        {"down by failed scrapes", "sss", true},
        {"broke first, then was gone", "bbbs", true},
        {"suspect", "cc", false},
        {"back again", "cccP", false},
        {"back again by an answer", "ccca", false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        HealthRules rules = known_endpoint();
        for (const char event : row.events) {
            play(rules, event);
        }
        CHECK(rules.was_unreachable() == row.unreachable);
    }
}

}  // namespace warmlane::datalayer
