#include "warmlane/core/json_reader.hpp"

#include <doctest/doctest.h>

namespace warmlane {

TEST_CASE("parse_duration: a whole number and one unit") {
    using std::chrono::milliseconds;
    struct Row {
        std::string text;
        std::optional<milliseconds> duration;
    };
    const Row rows[] = {
        {"200ms", milliseconds(200)},
        {"0s", milliseconds(0)},
        {"30s", milliseconds(30'000)},
        {"5m", milliseconds(300'000)},
        {"1h", milliseconds(3'600'000)},
        {"876000h", milliseconds(3'153'600'000'000)},
        {"876001h", std::nullopt},
        {"99999999999999999999s", std::nullopt},
        {"18446744073709551615h", std::nullopt},
        {"", std::nullopt},
        {"30", std::nullopt},
        {"s", std::nullopt},
        {"-1s", std::nullopt},
        {"+1s", std::nullopt},
        {"1.5s", std::nullopt},
        {"1 s", std::nullopt},
        {" 1s", std::nullopt},
        {"1s ", std::nullopt},
        {"1S", std::nullopt},
        {"1m30s", std::nullopt},
    };
    for (const Row& row : rows) {
        CAPTURE(row.text);
        CHECK(parse_duration(row.text) == row.duration);
    }
}

TEST_CASE("parse_size: bytes, binary and decimal units") {
    struct Row {
        std::string text;
        std::optional<std::size_t> size;
    };
    const Row rows[] = {
        {"0", 0},
        {"1024", 1024},
        {"64KiB", 65'536},
        {"64MiB", 67'108'864},
        {"1GiB", 1'073'741'824},
        {"64k", 64'000},
        {"64M", 64'000'000},
        {"1G", 1'000'000'000},
        {"9223372036854775807", 9'223'372'036'854'775'807ULL},
        {"9223372036854775808", std::nullopt},
        {"17179869184GiB", std::nullopt},
        {"", std::nullopt},
        {"MiB", std::nullopt},
        {"-1", std::nullopt},
        {"1.5MiB", std::nullopt},
        {"1mib", std::nullopt},
        {"1KB", std::nullopt},
        {"1 KiB", std::nullopt},
    };
    for (const Row& row : rows) {
        CAPTURE(row.text);
        CHECK(parse_size(row.text) == row.size);
    }
}

}  // namespace warmlane
