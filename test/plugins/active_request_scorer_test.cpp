#include "plugins/metric_rows.hpp"

namespace warmlane::plugins {

TEST_CASE("active-request-scorer: the fewest requests in flight score best") {
    struct Row {
        const char* name;
        const char* parameters;
        std::vector<std::int64_t> in_flight;
        std::vector<double> scores;
    };
    const Row rows[] = {
        {"a spread", "{}", {3, 0, 6}, {0.5, 1, 0}},
        {"an idle one among busy ones", "{}", {4, 0, 1}, {0, 1, 0.75}},
        {"all idle", "{}", {0, 0, 0}, {1, 1, 1}},
        {"two busy ones", "{}", {3, 11}, {8.0 / 11, 0}},
        {"one busy one alone", "{}", {5}, {0}},
        {"busy ones score nothing", R"({"maxBusyScore": 0})", {1, 0}, {0, 1}},
        {"busy ones score half at most", R"({"maxBusyScore": 0.5})", {3, 0, 6}, {0.25, 1, 0}},
        {"up to the threshold is idle", R"({"idleThreshold": 1, "maxBusyScore": 0.5})", {1, 2, 0}, {1, 0, 1}},
        {"all below the threshold", R"({"idleThreshold": 10})", {1, 9, 10}, {1, 1, 1}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        test::MetricRows pool;
        for (const std::int64_t count : row.in_flight) {
            pool.add_unknown().in_flight_requests = count;
        }
        test::check_scores(
            test::scores_of("active-request-scorer", pool.candidates, row.parameters), row.scores
        );
    }
}

TEST_CASE("active-request-scorer: parameters are bounded, and two older ones are read and ignored") {
    const auto complaint = [](std::string_view parameters) {
        return test::complaint("active-request-scorer", parameters);
    };
    CHECK(complaint(R"({"idleThreshold": -1})") == "parameters.idleThreshold: must be at least 0");
    CHECK(complaint(R"({"maxBusyScore": 1.5})") == "parameters.maxBusyScore: must be between 0 and 1");
    CHECK(
        complaint(R"({"requestTimeout": "2m", "inFlightLoadProducerName": "inflight-load-producer"})") == ""
    );
    CHECK(
        complaint(R"({"idleTreshold": 1})") ==
        "parameters.idleTreshold: unknown key 'idleTreshold'; did you mean 'idleThreshold'?"
    );
}

}  // namespace warmlane::plugins
