#include "datalayer/restart_watch.hpp"

#include <doctest/doctest.h>

#include <optional>

namespace warmlane::datalayer {
namespace {

using Number = std::optional<double>;
constexpr std::nullopt_t kNone = std::nullopt;

EndpointMetrics metrics(Number start_time, Number prompt_tokens) {
    EndpointMetrics metrics;
    metrics.process_start_time = start_time;
    metrics.prompt_tokens_total = prompt_tokens;
    return metrics;
}

struct Row {
    const char* name = "";
    EndpointMetrics before;
    EndpointMetrics after;
    bool restarted = false;
    bool restarted_if_unreachable = false;
};

const Row kRows[] = {
    {"nothing moved", metrics(100, 5), metrics(100, 5), false, false},
    {"tokens grew", metrics(100, 5), metrics(100, 9), false, false},
    {"start time moved", metrics(100, 5), metrics(200, 9), true, true},
    {"clock was set back", metrics(200, 5), metrics(100, 5), true, true},
    {"tokens fell", metrics(100, 5), metrics(100, 4), true, true},
    {"no start time, tokens grew", metrics(kNone, 5), metrics(kNone, 6), false, true},
    {"no start time, tokens fell", metrics(kNone, 5), metrics(kNone, 0), true, true},
    {"start time appears", metrics(kNone, 5), metrics(100, 6), false, true},
    {"start time is missing", metrics(100, 5), metrics(kNone, 6), false, true},
    {"no values at all", metrics(kNone, kNone), metrics(kNone, kNone), false, true},
};

}  // namespace

TEST_CASE("restart watch: two scrapes of one process or of two") {
    for (const Row& row : kRows) {
        CAPTURE(row.name);
        RestartWatch watch;
        CHECK_FALSE(watch.restarted(row.before));
        CHECK(watch.restarted(row.after) == row.restarted);
        CHECK_FALSE(watch.restarted(row.after));
    }
}

TEST_CASE("restart watch: after a gap only an equal start time proves the same process") {
    for (const Row& row : kRows) {
        CAPTURE(row.name);
        RestartWatch watch;
        CHECK_FALSE(watch.restarted(row.before));
        CHECK(watch.restarted_while_unreachable(row.after) == row.restarted_if_unreachable);
    }
    RestartWatch watch;
    CHECK_FALSE(watch.restarted(metrics(100, 5)));
    CHECK(watch.restarted_while_unreachable(std::nullopt));
}

TEST_CASE("restart watch: a scrape that lacks a value does not make it forget the last one") {
    RestartWatch watch;
    CHECK_FALSE(watch.restarted(metrics(100, 5)));
    CHECK_FALSE(watch.restarted(metrics(kNone, kNone)));
    CHECK(watch.restarted(metrics(200, kNone)));
    CHECK(watch.restarted(metrics(kNone, 4)));
}

}  // namespace warmlane::datalayer
