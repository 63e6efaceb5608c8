#include "config/scalar.hpp"

#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

#include <cmath>
#include <string>

namespace warmlane::config {
namespace {

TEST_CASE("an unquoted scalar is typed by YAML's core schema") {
    struct Row {
        std::string name;
        const char* text;
        const char* json;
    };
    const Row rows[] = {
        {"nothing", "", "null"},
        {"a tilde", "~", "null"},
        {"null", "null", "null"},
        {"true", "true", "true"},
        {"False", "False", "false"},
        {"yes is a word", "yes", R"("yes")"},
        {"off is a word", "off", R"("off")"},
        {"an integer", "42", "42"},
        {"a negative integer", "-7", "-7"},
        {"a plus sign", "+7", "7"},
        {"two signs are a word", "+-7", R"("+-7")"},
        {"leading zeros", "007", "7"},
        {"hexadecimal", "0x1F", "31"},
        {"octal", "0o17", "15"},
        {"a negative hexadecimal is a word", "0x-1", R"("0x-1")"},
        {"the largest unsigned integer", "18446744073709551615", "18446744073709551615"},
        {"one beyond is a float", "18446744073709551616", "1.8446744073709552E19"},
        {"a fraction", "0.5", "5E-1"},
        {"an exponent", "1e3", "1E3"},
        {"an address is a word", "127.0.0.1", R"("127.0.0.1")"},
        {"a duration is a word", "200ms", R"("200ms")"},
        {"a minus is a word", "-", R"("-")"},
        {"a date is a word", "2026-01-02", R"("2026-01-02")"},
        {"inf without a dot is a word", "inf", R"("inf")"},
        {"nan without a dot is a word", "nan", R"("nan")"},
        {"an underscore is no digit", "1_000", R"("1_000")"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(boost::json::serialize(parse_plain_scalar(row.text)) == row.json);
    }
    CHECK(std::isnan(parse_plain_scalar(".nan").as_double()));
    CHECK(std::isinf(parse_plain_scalar("-.inf").as_double()));
}

}  // namespace
}  // namespace warmlane::config
