#include "proxy/request_record.hpp"

#include <doctest/doctest.h>

namespace warmlane::proxy {
namespace {

TEST_CASE("predicted cached tokens: the matched share of the tokens that the answer reports") {
    struct Row {
        const char* name;
        std::uint32_t match;
        std::uint32_t total;
        std::uint64_t prompt;
        std::uint64_t predicted;
    };
    const Row rows[] = {
        {"nothing matched", 0, 5, 1000, 0},
        {"three of five", 3, 5, 1000, 600},
        {"all", 5, 5, 1000, 1000},
        {"rounded down", 1, 3, 100, 33},
        {"no prompt to hash", 0, 0, 100, 0},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        RequestRecord record;
        record.prefix_match = {row.match, row.total, 64};
        record.usage.prompt_tokens = row.prompt;
        CHECK(record.predicted_cached_tokens() == row.predicted);
    }
}

TEST_CASE("predicted cached tokens: unknown until an answer reports the prompt's length") {
    RequestRecord record;
    record.prefix_match = {3, 5, 64};
    CHECK(!record.predicted_cached_tokens().has_value());
}

}  // namespace
}  // namespace warmlane::proxy
