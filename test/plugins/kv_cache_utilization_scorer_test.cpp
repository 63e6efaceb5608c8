#include "plugins/metric_rows.hpp"

#include <limits>

namespace warmlane::plugins {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Value = std::optional<double>;

}  // namespace

TEST_CASE("kv-cache-utilization-scorer: the score is the share of the cache that is free") {
    struct Row {
        const char* name;
        std::vector<Value> usage;
        std::vector<double> scores;
    };
    const Row rows[] = {
        {"a spread", {0.8, 0.5, 0}, {0.2, 0.5, 1}},
        {"equals keep their score", {0.6, 0.6}, {0.4, 0.4}},
        {"a full one", {1, 0.5}, {0, 0.5}},
        {"over full is full", {1.2, 0.5}, {0, 0.5}},
        {"an absent value is the mean of the known", {0.8, {}, 0}, {0.2, 0.6, 1}},
        {"nothing known", {{}, {}}, {0.5, 0.5}},
        {"NaN is unknown", {kNan, 0.5}, {0.5, 0.5}},
        {"negative is unknown", {-0.1, 0.2, 0.4}, {0.7, 0.8, 0.6}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        test::MetricRows pool;
        for (const Value& value : row.usage) {
            pool.add(&EndpointMetrics::kv_usage, value);
        }
        test::check_scores(test::scores_of("kv-cache-utilization-scorer", pool.candidates), row.scores);
    }
}

TEST_CASE("kv-cache-utilization-scorer: an endpoint without fresh metrics is not taken for empty") {
    test::MetricRows pool;
    pool.add_unknown();
    pool.add(&EndpointMetrics::kv_usage, 0.9);
    pool.add(&EndpointMetrics::kv_usage, 0.7);
    test::check_scores(test::scores_of("kv-cache-utilization-scorer", pool.candidates), {0.2, 0.1, 0.3});
}

TEST_CASE("kv-cache-utilization-scorer: takes no parameters") {
    CHECK(test::complaint("kv-cache-utilization-scorer", R"({"x": 1})") == "parameters.x: unknown key 'x'");
}

}  // namespace warmlane::plugins
