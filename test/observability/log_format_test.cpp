#include "observability/log_format.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>
#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace warmlane::observability {
namespace {

using namespace std::chrono_literals;

std::string formatted(spdlog::formatter& formatter, const char* logger, std::string_view payload) {
    const spdlog::log_clock::time_point time{std::chrono::seconds{1'789'000'000} + 42ms};
    const spdlog::string_view_t text(payload.data(), payload.size());
    const spdlog::details::log_msg message(time, {}, logger, spdlog::level::warn, text);
    spdlog::memory_buf_t out;
    formatter.format(message, out);
    return {out.data(), out.size()};
}

std::string text_at(const boost::json::value& record, std::string_view key) {
    return boost::json::value_to<std::string>(record.at(key));
}

AccessRecord full_record() {
    AccessRecord record;
    record.request_id = "r-1";
    record.client = "10.0.0.9";
    record.method = "POST";
    record.path = "/v1/chat/completions";
    record.model = "a \"quoted\" \\ model";
    record.endpoint = "b";
    record.status = 200;
    record.attempts = 2;
    record.match_blocks = 3;
    record.total_blocks = 4;
    record.prompt_tokens = 300;
    record.completion_tokens = 20;
    record.cached_tokens = 192;
    record.bytes_in = 1'200;
    record.bytes_out = 3'400;
    record.overhead = 210us;
    record.first_byte = 35ms;
    record.total = 1s + 500us;
    record.end = "complete";
    return record;
}

}  // namespace

TEST_CASE("text log: one record is one line") {
    TextFormatter formatter;
    CHECK(
        formatted(formatter, "log", "endpoint a is down") ==
        "2026-09-10T00:26:40.042Z warning endpoint a is down\n"
    );
    CHECK(
        formatted(formatter, "log", "two\nlines\x1b") ==
        "2026-09-10T00:26:40.042Z warning two\\x0alines\\x1b\n"
    );
}

TEST_CASE("JSON log: every record is one line of valid JSON that holds what was logged") {
    struct Row {
        const char* name;
        std::string payload;
        std::string message;
    };
    const Row rows[] = {
        {"plain", "endpoint a is down", "endpoint a is down"},
        {"quotes and backslashes", R"(a "b" \ c)", R"(a "b" \ c)"},
        {"line ends", "a\nb", "a\\x0ab"},
        {"invalid UTF-8", "a\xff", "a\\xff"},
        {"other languages", "größer 😀", "größer 😀"},
    };
    JsonFormatter formatter;
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const std::string line = formatted(formatter, "log", row.payload);
        CHECK(line.find('\n') == line.size() - 1);
        const auto record = boost::json::parse(line);
        CHECK(text_at(record, "time") == "2026-09-10T00:26:40.042Z");
        CHECK(text_at(record, "level") == "warning");
        CHECK(text_at(record, "message") == row.message);
    }
}

TEST_CASE("access log: JSON has every field with its value and unit") {
    JsonFormatter formatter;
    const auto line = boost::json::parse(formatted(formatter, kAccessLoggerName, json_fields(full_record())));
    const auto expected = boost::json::parse(R"({
        "time": "2026-09-10T00:26:40.042Z", "level": "warning",
        "id": "r-1", "client": "10.0.0.9", "method": "POST", "path": "/v1/chat/completions",
        "model": "a \"quoted\" \\ model", "status": 200, "endpoint": "b", "attempts": 2,
        "match_blocks": 3, "total_blocks": 4,
        "prompt_tokens": 300, "completion_tokens": 20, "cached_tokens": 192,
        "bytes_in": 1200, "bytes_out": 3400,
        "overhead_ms": 0.210, "first_byte_ms": 35.000, "total_ms": 1000.500, "end": "complete"
    })");
    CHECK(line == expected);
}

TEST_CASE("access log: text leaves out what is not known and quotes what came from outside") {
    AccessRecord record = full_record();
    record.model = "two\nlines";
    record.endpoint = {};
    record.prompt_tokens.reset();
    record.completion_tokens.reset();
    record.cached_tokens.reset();
    record.first_byte.reset();
    record.status = 0;
    record.end = "client_gone";
    CHECK(
        text_fields(record) ==
        R"(id="r-1" client="10.0.0.9" method="POST" path="/v1/chat/completions" model="two\x0alines" )"
        R"(status=0 attempts=2 match_blocks=3 total_blocks=4 bytes_in=1200 bytes_out=3400 )"
        R"(overhead_ms=0.210 total_ms=1000.500 end="client_gone")"
    );
}

TEST_CASE("access log: a field from outside that is too long is cut") {
    AccessRecord record;
    const std::string path(10'000, 'p');
    record.path = path;
    const auto line = boost::json::parse("{" + json_fields(record) + "}");
    CHECK(text_at(line, "path") == std::string(256, 'p'));
}

}  // namespace warmlane::observability
