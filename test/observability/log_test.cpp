#include "warmlane/observability/log.hpp"

#include "support/captured_stderr.hpp"

#include <boost/json/parse.hpp>
#include <doctest/doctest.h>

#include <string>

namespace warmlane::observability {
namespace {

AccessRecord record() {
    AccessRecord record;
    record.request_id = "r-1";
    record.status = 200;
    record.end = "complete";
    return record;
}

}  // namespace

TEST_CASE("log: before it is started, warnings come out as text") {
    const test::CapturedStderr captured;
    log().info("too early for this");
    log().warn("early trouble");
    log_access(record());
    const auto lines = captured.lines();
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].ends_with(" warning early trouble"));
}

TEST_CASE("log: everything queued is written when it stops, in order") {
    const test::CapturedStderr captured;
    start_log({.level = "info", .format = "json", .access = true});
    log().debug("not this");
    log().info("one");
    log_access(record());
    log().error("two");
    stop_log();
    const auto lines = captured.lines();
    REQUIRE(lines.size() == 3);
    CHECK(boost::json::parse(lines[0]).at("message") == "one");
    CHECK(boost::json::parse(lines[1]).at("id") == "r-1");
    CHECK(boost::json::parse(lines[1]).at("end") == "complete");
    CHECK(boost::json::parse(lines[2]).at("level") == "error");
}

TEST_CASE("log: levels and the access switch choose what is written") {
    struct Row {
        const char* name = "";
        LogOptions options;
        std::size_t lines = 0;
    };
    const Row rows[] = {
        {"debug", {"debug", "text", true}, 4},
        {"info", {"info", "text", true}, 3},
        {"no access lines", {"info", "text", false}, 2},
        {"warnings only", {"warn", "text", true}, 1},
        {"errors only", {"error", "text", true}, 0},
        {"off", {"off", "text", true}, 0},
        {"a pipe is no terminal: JSON", {"info", "auto", true}, 3},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const test::CapturedStderr captured;
        start_log(row.options);
        log().debug("debug");
        log().info("info");
        log().warn("warn");
        log_access(record());
        stop_log();
        const auto lines = captured.lines();
        CHECK(lines.size() == row.lines);
        for (const std::string& line : lines) {
            CHECK(line.starts_with("{") == (row.options.format == "auto"));
        }
    }
}

TEST_CASE("log: a reader that is stuck does not keep it from stopping") {
    const test::CapturedStderr captured;
    start_log({.level = "info", .format = "text", .access = true});
    for (int i = 0; i < 20'000; ++i) {
        log().info("line {} {}", i, std::string(200, 'x'));
    }
    stop_log();
    CHECK(captured.lines().size() < 8'192);
}

}  // namespace warmlane::observability
