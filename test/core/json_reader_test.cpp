#include "warmlane/core/json_reader.hpp"

#include <boost/json/parse.hpp>
#include <doctest/doctest.h>

#include <limits>

namespace warmlane {
namespace {

namespace json = boost::json;

/// A reader over a text, with what it complained about.
struct Fixture {
    explicit Fixture(std::string_view text, std::string path = "root")
        : value(json::parse(text)), reader(value, std::move(path), errors) {}

    std::string complaint() const {
        std::string all;
        for (const ReadError& error : errors) {
            all += (all.empty() ? "" : " | ") + error.path + ": " + error.message;
        }
        return all;
    }

    json::value value;
    std::vector<ReadError> errors;
    JsonReader reader;
};

/// Reads the key `x` of `text` into `start` and gives the value and the complaints.
template <class T, class... Bounds>
std::pair<T, std::string> read_x(std::string_view text, T start, Bounds... bounds) {
    Fixture fixture(text);
    fixture.reader.read("x", start, bounds...);
    return {start, fixture.complaint()};
}

}  // namespace

TEST_CASE("json_reader: values of every type are read") {
    Fixture f(R"({"flag": true, "text": "hi", "list": ["a", "b"], "ratio": 0.25, "count": -3, "size": 7,
                  "wait": "30s", "bytes": "64KiB", "mode": "fast"})");
    bool flag = false;
    std::string text;
    std::vector<std::string> list;
    double ratio = 0;
    std::int64_t count = 0;
    std::uint32_t size = 0;
    std::chrono::milliseconds wait{0};
    std::size_t bytes = 0;
    std::string mode = "slow";
    f.reader.read("flag", flag);
    f.reader.read("text", text);
    f.reader.read("list", list);
    f.reader.read("ratio", ratio);
    f.reader.read("count", count);
    f.reader.read("size", size);
    f.reader.read("wait", wait);
    f.reader.read_size("bytes", bytes);
    f.reader.read_choice("mode", mode, {"fast", "slow"});
    f.reader.finish();
    CHECK(f.complaint() == "");
    CHECK(flag);
    CHECK(text == "hi");
    CHECK(list == std::vector<std::string>{"a", "b"});
    CHECK(ratio == 0.25);
    CHECK(count == -3);
    CHECK(size == 7);
    CHECK(wait == std::chrono::seconds(30));
    CHECK(bytes == 65'536);
    CHECK(mode == "fast");
}

TEST_CASE("json_reader: an absent or null key keeps the default") {
    for (const char* text : {"{}", R"({"x": null})", "null"}) {
        CAPTURE(text);
        CHECK(read_x<double>(text, 1.5) == std::pair{1.5, std::string()});
        CHECK(read_x<std::string>(text, "kept") == std::pair{std::string("kept"), std::string()});
        Fixture f(text);
        CHECK_FALSE(f.reader.has("x"));
        CHECK(f.reader.take("x") == nullptr);
        CHECK(f.reader.take_array("x") == nullptr);
        f.reader.finish();
        CHECK(f.complaint() == "");
    }
}

TEST_CASE("json_reader: a wrong type is named and keeps the default") {
    CHECK(
        read_x<double>(R"({"x": "2"})", 1) ==
        std::pair{1.0, std::string("root.x: expected a number, got a string")}
    );
    CHECK(
        read_x<bool>(R"({"x": 1})", true) ==
        std::pair{true, std::string("root.x: expected true or false, got a number")}
    );
    CHECK(read_x<bool>(R"({"x": "true"})", false).second == "root.x: expected true or false, got a string");
    CHECK(read_x<std::string>(R"({"x": 8000})", "d").second == "root.x: expected a string, got a number");
    CHECK(read_x<std::int64_t>(R"({"x": [1]})", 4).second == "root.x: expected an integer, got a list");
    CHECK(read_x<std::uint32_t>(R"({"x": true})", 4).second == "root.x: expected an integer, got a boolean");
    CHECK(
        read_x<std::chrono::milliseconds>(R"({"x": 30})", {}).second ==
        "root.x: expected a duration like 200ms, 30s, 5m or 1h, got a number"
    );
    const auto [list, complaint] = read_x<std::vector<std::string>>(R"({"x": ["a", 1, {}]})", {"d"});
    CHECK(list == std::vector<std::string>{"d"});
    CHECK(
        complaint ==
        "root.x[1]: expected a string, got a number | root.x[2]: expected a string, got an object"
    );
}

TEST_CASE("json_reader: integers are exact") {
    struct Row {
        const char* text;
        std::int64_t value;
        std::string complaint;
    };
    const Row rows[] = {
        {R"({"x": 2.0})", 2, ""},
        {R"({"x": -2.0})", -2, ""},
        {R"({"x": 1e3})", 1000, ""},
        {R"({"x": 2.5})", -1, "root.x: expected an integer, got 2.5"},
        {R"({"x": 1e300})", -1, "root.x: expected an integer, got 1e+300"},
        {R"({"x": 9223372036854775807})", std::numeric_limits<std::int64_t>::max(), ""},
    };
    for (const Row& row : rows) {
        CAPTURE(row.text);
        CHECK(read_x<std::int64_t>(row.text, -1) == std::pair{row.value, row.complaint});
    }
    CHECK(read_x<std::uint32_t>(R"({"x": 64.0})", 1) == std::pair{64U, std::string()});
}

TEST_CASE("json_reader: numbers outside their range are refused") {
    CHECK(
        read_x<double>(R"({"x": -0.1})", 0.5, 0.0, 1.0) ==
        std::pair{0.5, std::string("root.x: must be between 0 and 1")}
    );
    CHECK(read_x<double>(R"({"x": 1})", 0.5, 0.0, 1.0) == std::pair{1.0, std::string()});
    CHECK(read_x<double>(R"({"x": -1})", 0.5, 0.0).second == "root.x: must be at least 0");
    CHECK(
        read_x<std::uint32_t>(R"({"x": -1})", 3) ==
        std::pair{3U, std::string("root.x: must be between 0 and 4294967295")}
    );
    CHECK(
        read_x<std::uint32_t>(R"({"x": 4294967296})", 3).second == "root.x: must be between 0 and 4294967295"
    );
    CHECK(
        read_x<std::uint32_t>(R"({"x": 18446744073709551615})", 3, 1U, 9U).second ==
        "root.x: must be between 1 and 9"
    );
    CHECK(
        read_x<std::int64_t>(R"({"x": 10})", 3, std::numeric_limits<std::int64_t>::min(), 9).second ==
        "root.x: must be at most 9"
    );
}

TEST_CASE("json_reader: a number that is not finite is refused") {
    std::vector<ReadError> errors;
    const json::value value = {
        {"nan", std::numeric_limits<double>::quiet_NaN()}, {"inf", std::numeric_limits<double>::infinity()}
    };
    JsonReader reader(value, "", errors);
    double out = 1;
    std::int64_t whole = 1;
    reader.read("nan", out);
    reader.read("inf", out);
    reader.read("inf", whole);
    CHECK(out == 1);
    CHECK(whole == 1);
    REQUIRE(errors.size() == 3);
    CHECK(errors[0].path == "nan");
    CHECK(errors[0].message == "expected a finite number");
    CHECK(errors[2].message == "expected an integer, got inf");
}

TEST_CASE("json_reader: durations and sizes that do not parse are quoted") {
    CHECK(
        read_x<std::chrono::milliseconds>(R"({"x": "5 minutes"})", {}).second ==
        "root.x: expected a duration like 200ms, 30s, 5m or 1h, got '5 minutes'"
    );
    struct Row {
        const char* text;
        std::size_t value;
        std::string complaint;
    };
    const Row rows[] = {
        {R"({"x": 4096})", 4096, ""},
        {R"({"x": 4096.0})", 4096, ""},
        {R"({"x": "1MB"})", 5, "root.x: expected a size like 4096, 64KiB or 64MiB, got '1MB'"},
        {R"({"x": -1})", 5, "root.x: must be a whole number of bytes, 0 or more"},
        {R"({"x": 1.5})", 5, "root.x: must be a whole number of bytes, 0 or more"},
        {R"({"x": true})", 5, "root.x: expected a size like 4096, 64KiB or 64MiB, got a boolean"},
        {R"({"x": 1})", 5, "root.x: must be at least 2 bytes"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.text);
        Fixture f(row.text);
        std::size_t out = 5;
        f.reader.read_size("x", out, 2);
        CHECK(out == row.value);
        CHECK(f.complaint() == row.complaint);
    }
}

TEST_CASE("json_reader: a word outside its closed set is refused with the choices") {
    Fixture f(R"({"x": "jsno", "y": 1})");
    std::string x = "text";
    std::string y = "text";
    f.reader.read_choice("x", x, {"json", "text"});
    f.reader.read_choice("y", y, {"json", "text"});
    f.reader.read_choice("z", y, {"json", "text"});
    CHECK(x == "text");
    CHECK(y == "text");
    CHECK(
        f.complaint() ==
        "root.x: expected one of json, text, got 'jsno'; did you mean 'json'? | root.y: expected a string, "
        "got a number"
    );
}

TEST_CASE("json_reader: finish reports every unknown key with the nearest known one") {
    Fixture f(R"({"pluginRef": "a", "wieght": 2, "colour": "red"})");
    std::string ref;
    double weight = 1;
    f.reader.read("pluginRef", ref);
    f.reader.read("weight", weight);
    f.reader.finish();
    CHECK(
        f.complaint() ==
        "root.wieght: unknown key 'wieght'; did you mean 'weight'? | root.colour: unknown key 'colour'"
    );
}

TEST_CASE("json_reader: a value that is no object is one error, and reads as empty") {
    Fixture f(R"([1, 2])", "plugins[0].parameters");
    double x = 1;
    f.reader.read("x", x);
    f.reader.finish();
    CHECK(x == 1);
    CHECK(f.complaint() == "plugins[0].parameters: expected an object, got a list");
}

TEST_CASE("json_reader: paths grow from the root, which has none") {
    Fixture root("{}", "");
    CHECK(root.reader.path() == "");
    CHECK(root.reader.path_of("listen") == "listen");
    Fixture below("{}", "plugins[2]");
    CHECK(below.reader.path_of("name") == "plugins[2].name");
    CHECK(below.reader.path_of("") == "plugins[2]");
    below.reader.fail("", "is wrong");
    CHECK(below.complaint() == "plugins[2]: is wrong");
}

TEST_CASE("json_reader: raw values and lists are handed out and count as known") {
    Fixture f(R"({"any": {"deep": 1}, "list": [1, 2], "text": "x"})");
    REQUIRE(f.reader.take("any") != nullptr);
    CHECK(f.reader.take("any")->at("deep").as_int64() == 1);
    REQUIRE(f.reader.take_array("list") != nullptr);
    CHECK(f.reader.take_array("list")->size() == 2);
    CHECK(f.reader.take_array("text") == nullptr);
    f.reader.finish();
    CHECK(f.complaint() == "root.text: expected a list, got a string");
}

}  // namespace warmlane
