#include "admin/json_text.hpp"

#include <boost/json/parse.hpp>
#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace warmlane::admin {
namespace {

TEST_CASE("json_text: numbers as people write them, everything else as ever") {
    struct Row {
        std::string name;
        boost::json::value value;
        std::string text;
    };
    const Row rows[] = {
        {"a whole float", 2.0, "2"},
        {"a fraction", 0.25, "0.25"},
        {"the shortest text that reads back", 2.0 / 3, "0.6666666666666666"},
        {"a large one", 1e300, "1e+300"},
        {"an integer", -3, "-3"},
        {"no number", std::numeric_limits<double>::quiet_NaN(), "null"},
        {"infinity", std::numeric_limits<double>::infinity(), "null"},
        {"nothing", nullptr, "null"},
        {"text with quotes", "a\"b\n", R"("a\"b\n")"},
        {"nesting",
         boost::json::parse(R"({"a\n":[1.5,{},[],{"b":true}],"c":null})"),
         R"({"a\n":[1.5,{},[],{"b":true}],"c":null})"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(json_text(row.value) == row.text);
    }
}

}  // namespace
}  // namespace warmlane::admin
