#include "plugins/metric_rows.hpp"

#include <limits>

namespace warmlane::plugins {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Value = std::optional<double>;

}  // namespace

TEST_CASE("running-requests-size-scorer: the fewest running requests score 1, the most 0") {
    struct Row {
        const char* name;
        std::vector<Value> running;
        std::vector<double> scores;
    };
    const Row rows[] = {
        {"a spread", {10, 5, 0}, {0, 0.5, 1}},
        {"the order does not matter", {0, 5, 10}, {1, 0.5, 0}},
        {"only the range counts", {110, 105, 100}, {0, 0.5, 1}},
        {"equals", {5, 5}, {1, 1}},
        {"all idle", {0, 0}, {1, 1}},
        {"one endpoint", {7}, {1}},
        {"an absent value is the mean of the known", {10, {}, 0}, {0, 0.5, 1}},
        {"absent among equals", {5, {}, 5}, {1, 1, 1}},
        {"absent beside three", {9, 1, 1, {}}, {0, 1, 1, 2.0 / 3}},
        {"nothing known", {{}, {}}, {0.5, 0.5}},
        {"NaN is unknown", {kNan, 4, 0}, {0.5, 0, 1}},
        {"infinite is unknown", {kInfinity, 4, 0}, {0.5, 0, 1}},
        {"negative is unknown", {-1, 4, 0}, {0.5, 0, 1}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        test::MetricRows pool;
        for (const Value& value : row.running) {
            pool.add(&EndpointMetrics::running, value);
        }
        test::check_scores(test::scores_of("running-requests-size-scorer", pool.candidates), row.scores);
    }
}

TEST_CASE("running-requests-size-scorer: an endpoint without fresh metrics is neither best nor worst") {
    test::MetricRows pool;
    pool.add_unknown().unseen_requests = 3;
    pool.add(&EndpointMetrics::running, 1);
    pool.add(&EndpointMetrics::running, 9);
    test::check_scores(test::scores_of("running-requests-size-scorer", pool.candidates), {0.5, 1, 0});
}

TEST_CASE("running-requests-size-scorer: requests sent since the scrape count as running") {
    test::MetricRows pool;
    pool.add(&EndpointMetrics::running, 0).unseen_requests = 4;
    pool.add(&EndpointMetrics::running, 1).unseen_requests = 1;
    pool.add(&EndpointMetrics::running, 0);
    test::check_scores(test::scores_of("running-requests-size-scorer", pool.candidates), {0, 0.5, 1});
}

TEST_CASE("running-requests-size-scorer: takes no parameters and needs no prefix match") {
    CHECK(test::complaint("running-requests-size-scorer", "{}") == "");
    CHECK(test::complaint("running-requests-size-scorer", R"({"x": 1})") == "parameters.x: unknown key 'x'");
    CHECK_FALSE(
        test::make_plugin<routing::Scorer>("running-requests-size-scorer")->prefix_producer().has_value()
    );
}

}  // namespace warmlane::plugins
