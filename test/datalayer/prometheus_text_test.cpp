#include "datalayer/prometheus_text.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::datalayer {
namespace {

constexpr std::string_view kNames[] = {"m", "m_total", "ns:metric", "quite_a_long_name_of_a_metric"};

struct Read {
    std::vector<std::string> samples;
    std::size_t malformed = 0;
};

/// Each sample as `name{label=value,...} value`, escapes resolved.
Read read(std::string_view page) {
    const FamilyNames names(kNames);
    PrometheusText text(page, names);
    Read out;
    while (const PrometheusSample* sample = text.next()) {
        std::string line(kNames[sample->family]);
        for (const auto& label : sample->labels) {
            line += "{" + std::string(label.name) + "=" + sample->label(label.name).value_or("") + "}";
        }
        out.samples.push_back(line + " " + std::to_string(sample->value));
    }
    out.malformed = text.malformed_lines();
    return out;
}

}  // namespace

TEST_CASE("prometheus text: one line in every allowed form") {
    struct Row {
        const char* name;
        std::string_view line;
        std::string expected;
    };
    const Row rows[] = {
        {"no labels", "m 5", "m 5.000000"},
        {"empty labels", "m{} 5", "m 5.000000"},
        {"labels", R"(m{a="1",b="two"} 5)", "m{a=1}{b=two} 5.000000"},
        {"comma at the end of the labels", R"(m{a="1",} 5)", "m{a=1} 5.000000"},
        {"blanks everywhere", " \tm { a = \"1\" , b = \"2\" } \t 5 \t", "m{a=1}{b=2} 5.000000"},
        {"tab before the value", "m\t5", "m 5.000000"},
        {"carriage return", "m 5\r", "m 5.000000"},
        {"escapes", R"(m{a="q\"b\\n\n,}{"} 1)", "m{a=q\"b\\n\n,}{} 1.000000"},
        {"unknown escape", R"(m{a="\x"} 1)", "m{a=x} 1.000000"},
        {"empty value of a label", R"(m{a=""} 1)", "m{a=} 1.000000"},
        {"time stamp", "m 5 1395066363000", "m 5.000000"},
        {"time stamp of OpenMetrics", "m 5 1395066363.5", "m 5.000000"},
        {"exemplar", R"(m{a="1"} 5 # {trace_id="x"} 0.5 1395066363.5)", "m{a=1} 5.000000"},
        {"time stamp and exemplar", R"(m 5 1395066363 # {t="x"} 0.5)", "m 5.000000"},
        {"exponent", "m 1.25e+03", "m 1250.000000"},
        {"upper-case exponent without a sign", "m 1.5E3", "m 1500.000000"},
        {"negative exponent", "m 250e-2", "m 2.500000"},
        {"sign", "m +5", "m 5.000000"},
        {"negative", "m -0.5", "m -0.500000"},
        {"colon in the name", "ns:metric 1", "ns:metric 1.000000"},
        {"name longer than what is compared byte by byte",
         "quite_a_long_name_of_a_metric 1",
         "quite_a_long_name_of_a_metric 1.000000"},
        {"a name that begins with another", "m_total 1", "m_total 1.000000"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const Read out = read(row.line);
        REQUIRE(out.samples.size() == 1);
        CHECK(out.samples[0] == row.expected);
        CHECK(out.malformed == 0);
    }
}

TEST_CASE("prometheus text: numbers that are none") {
    const FamilyNames names(kNames);
    const auto value_of = [&](std::string_view line) {
        PrometheusText text(line, names);
        const PrometheusSample* sample = text.next();
        REQUIRE(sample != nullptr);
        return sample->value;
    };
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    CHECK(std::isnan(value_of("m NaN")));
    CHECK(value_of("m +Inf") == kInfinity);
    CHECK(value_of("m -Inf") == -kInfinity);
    CHECK(value_of("m Inf") == kInfinity);
}

TEST_CASE("prometheus text: other families, comments and empty lines are passed over") {
    struct Row {
        const char* name;
        std::string_view page;
    };
    const Row rows[] = {
        {"empty page", ""},
        {"empty lines", "\n\r\n\n"},
        {"type and help", "# HELP m help\n# TYPE m gauge\n# UNIT m seconds\n# EOF\n"},
        {"type in capitals, help without text", "# TYPE m GAUGE\n# HELP m\n"},
        {"another family", "other 5\n"},
        {"a family whose name goes on", "m_totals 5\nm_ 5\nm5 5\nns:metric_bucket{le=\"1\"} 5\n"},
        {"a family whose name is shorter", "ns:metri 5\nquite_a_long_name_of_a_metri 1\n"},
        {"same beginning, other end", "quite_a_long_name_of_a_metriX 1\n"},
        {"other case", "M 5\n"},
        {"binary", {"\x1f\x8b\x08\x00\xff\xfe\n", 7}},
        {"HTML", "<html><body>m 5</body></html>"},
        {"JSON", R"({"m": 5})"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const Read out = read(row.page);
        CHECK(out.samples.empty());
        CHECK(out.malformed == 0);
    }
}

TEST_CASE("prometheus text: a malformed line is counted and does not spoil its neighbours") {
    struct Row {
        const char* name;
        std::string line;
    };
    const Row rows[] = {
        {"a name alone", "m"},
        {"no value", "m "},
        {"no value after labels", R"(m{a="1"})"},
        {"no number", "m five"},
        {"half a number", "m 5x"},
        {"two signs", "m +-5"},
        {"beyond a double", "m 1e999"},
        {"labels do not end", R"(m{a="1" 5)"},
        {"value of a label does not end", R"(m{a="1} 5)"},
        {"ends in an escape", R"(m{a="1\)"},
        {"value of a label is not quoted", "m{a=1} 5"},
        {"label without a value", "m{a} 5"},
        {"label without a name", R"(m{="1"} 5)"},
        {"two commas", R"(m{a="1",,b="2"} 5)"},
        {"no comma", R"(m{a="1"b="2"} 5)"},
        {"word after the value", "m 5 word"},
        {"three numbers", "m 5 6 7"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const Read out = read("m 1\n" + row.line + "\nm 2\n");
        CHECK(out.malformed == 1);
        CHECK(out.samples == std::vector<std::string>{"m 1.000000", "m 2.000000"});
    }
}

TEST_CASE("prometheus text: the last line needs no line end, and all samples come in order") {
    const Read out = read("m 1\r\nother 3\r\nns:metric{a=\"x\"} 2\r\nm_total 4");
    CHECK(
        out.samples == std::vector<std::string>{"m 1.000000", "ns:metric{a=x} 2.000000", "m_total 4.000000"}
    );
}

TEST_CASE("prometheus text: labels are found by name, in whatever order they stand") {
    const FamilyNames names(kNames);
    PrometheusText text(R"(m{b="2",a="1,\"x\""} 5)", names);
    const PrometheusSample* sample = text.next();
    REQUIRE(sample != nullptr);
    CHECK(sample->label("a") == "1,\"x\"");
    CHECK(sample->label("b") == "2");
    CHECK_FALSE(sample->label("c"));
    CHECK(sample->has_label("b", "2"));
    CHECK_FALSE(sample->has_label("b", "1"));
    CHECK(sample->has_label("c", ""));
    CHECK_FALSE(sample->has_label("c", "2"));
}

TEST_CASE("family names: every name is found by its own bytes, up to as many as there may be") {
    std::vector<std::string> texts;
    texts.reserve(FamilyNames::kNamesMax);
    for (std::size_t i = 0; i < FamilyNames::kNamesMax; ++i) {
        texts.push_back("family_with_a_common_beginning_" + std::to_string(i));
    }
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    const FamilyNames names(views);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        CHECK(names.match(texts[i] + " 1") == i);
        CHECK(names.match(texts[i] + "{") == i);
        CHECK(names.match(texts[i]) == i);
        CHECK_FALSE(names.match(texts[i] + "x 1"));
    }
    CHECK_FALSE(names.match("family_with_a_common_beginning_32 1"));
    CHECK(names.size() == FamilyNames::kNamesMax);
}

}  // namespace warmlane::datalayer
