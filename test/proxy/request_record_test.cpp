#include "proxy/request_record.hpp"

#include <doctest/doctest.h>

namespace warmlane::proxy {
namespace {

TEST_CASE("predicted cached tokens: the matched share of the tokens that the answer reports") {
    struct Row {
        const char* name;
        std::uint32_t match;
        std::uint32_t total;
        std::uint64_t bytes;
        std::uint64_t prompt;
        std::uint64_t predicted;
    };
    const Row rows[] = {
        {"nothing matched", 0, 5, 1'280, 1'000, 0},
        {"three and a half of five blocks", 3, 5, 1'280, 1'000, 700},
        {"all of it", 5, 5, 1'280, 1'000, 1'000},
        {"all of it, the last block short", 5, 5, 1'100, 1'000, 1'000},
        {"never more than all", 4, 5, 1'030, 1'000, 1'000},
        {"what lies beyond the hashed part is not expected", 4, 4, 2'048, 1'000, 500},
        {"rounded down", 1, 3, 768, 100, 50},
        {"no prompt to hash", 0, 0, 0, 100, 0},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        RequestRecord record;
        record.prefix_match = {row.match, row.total, 64};
        record.prompt_bytes = row.bytes;
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
