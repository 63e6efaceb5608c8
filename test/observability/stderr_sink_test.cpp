#include "observability/stderr_sink.hpp"

#include "observability/log_format.hpp"
#include "support/pipe.hpp"

#include <doctest/doctest.h>
#include <spdlog/logger.h>

#include <memory>
#include <string>

namespace warmlane::observability {
namespace {

std::unique_ptr<spdlog::logger> logger_to(int descriptor) {
    auto sink = std::make_shared<StderrSink>(descriptor, std::chrono::milliseconds{1});
    sink->set_formatter(std::make_unique<TextFormatter>());
    return std::make_unique<spdlog::logger>("log", std::move(sink));
}

}  // namespace

TEST_CASE("stderr sink: lines come out whole and in order, long ones too") {
    test::Pipe pipe;
    const auto log = logger_to(pipe.write_end());
    const std::string text(10'000, 'x');
    log->info("first");
    log->info(text);
    const std::string out = pipe.read_available();
    CHECK(out.find("first\n") != std::string::npos);
    CHECK(out.ends_with(" " + text + "\n"));
}

TEST_CASE("stderr sink: a reader that does not read loses lines, and gets lines again once it reads") {
    test::Pipe pipe;
    const auto log = logger_to(pipe.write_end());
    const std::string text(1'000, 'x');
    // Far more than a pipe holds; a sink that waits would never come back.
    for (int i = 0; i < 10'000; ++i) {
        log->info(text);
    }
    const std::string before = pipe.read_available();
    CHECK(before.size() < 1'000'000);
    log->info("again");
    CHECK(pipe.read_available().ends_with("again\n"));
}

TEST_CASE("stderr sink: a reader that is gone is no error") {
    test::Pipe pipe;
    const auto log = logger_to(pipe.write_end());
    log->set_error_handler([](const std::string& message) { FAIL(message); });
    pipe.close_read_end();
    log->info("nobody reads this");
}

}  // namespace warmlane::observability
