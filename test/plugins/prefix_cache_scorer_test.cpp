#include "plugins/metric_rows.hpp"

namespace warmlane::plugins {

TEST_CASE("prefix-cache-scorer: the score is the share of the prompt that is held") {
    struct Row {
        const char* name = "";
        const char* parameters = "{}";
        std::optional<PrefixMatchInfo> match;
        double score = 0;
    };
    const char* const plain = "{}";
    const char* const half = R"({"matchLengthWeight": 0.5, "matchLengthScaleTokens": 100})";
    const char* const length = R"({"matchLengthWeight": 1})";
    const Row rows[] = {
        {"half", plain, PrefixMatchInfo{5, 10, 64}, 0.5},
        {"a fifth", plain, PrefixMatchInfo{2, 10, 64}, 0.2},
        {"all", plain, PrefixMatchInfo{10, 10, 64}, 1},
        {"none", plain, PrefixMatchInfo{0, 10, 64}, 0},
        {"nobody said", plain, std::nullopt, 0},
        {"no blocks", plain, PrefixMatchInfo{0, 0, 64}, 0},
        {"half share, half length: five tokens of a hundred", half, PrefixMatchInfo{5, 10, 1}, 0.25125},
        {"half share, half length: fifty tokens of a hundred", half, PrefixMatchInfo{50, 100, 1}, 0.375},
        {"the length's part is full at its scale", half, PrefixMatchInfo{100, 200, 1}, 0.75},
        {"and no more than full beyond", half, PrefixMatchInfo{1000, 2000, 1}, 0.75},
        {"no blocks with a length's part", half, PrefixMatchInfo{0, 0, 1}, 0},
        {"length alone, by the default scale", length, PrefixMatchInfo{64, 6400, 64}, 0.25},
        {"length alone, full", length, PrefixMatchInfo{128, 6400, 64}, 1},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        test::MetricRows pool;
        pool.add_unknown().prefix_match = row.match;
        test::check_scores(
            test::scores_of("prefix-cache-scorer", pool.candidates, row.parameters), {row.score}
        );
    }
}

TEST_CASE("prefix-cache-scorer: candidates do not influence each other") {
    test::MetricRows pool;
    pool.add_unknown().prefix_match = {5, 10, 64};
    pool.add_unknown().prefix_match = {2, 10, 64};
    pool.add_unknown();
    test::check_scores(test::scores_of("prefix-cache-scorer", pool.candidates), {0.5, 0.2, 0});
}

TEST_CASE("prefix-cache-scorer: says whose matches it reads") {
    const auto producer = [](const char* parameters) {
        return test::make_plugin<routing::Scorer>("prefix-cache-scorer", parameters)->prefix_producer();
    };
    CHECK(producer("{}") == "");
    CHECK(producer(R"({"prefixMatchInfoProducerName": "mine"})") == "mine");
}

TEST_CASE("prefix-cache-scorer: parameters are checked") {
    const auto complaint = [](std::string_view parameters) {
        return test::complaint("prefix-cache-scorer", parameters);
    };
    CHECK(
        complaint(R"({"matchLengthWeight": -0.1})") == "parameters.matchLengthWeight: must be between 0 and 1"
    );
    CHECK(
        complaint(R"({"matchLengthWeight": 1.1})") == "parameters.matchLengthWeight: must be between 0 and 1"
    );
    CHECK(complaint(R"({"matchLengthScaleTokens": 0})") == "");
    CHECK(
        complaint(R"({"matchLengthWeight": 0.5, "matchLengthScaleTokens": 0})") ==
        "parameters.matchLengthScaleTokens: must be at least 1 when matchLengthWeight is above 0"
    );
}

}  // namespace warmlane::plugins
