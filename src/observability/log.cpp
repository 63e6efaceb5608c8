#include "warmlane/observability/log.hpp"

#include "log_format.hpp"
#include "stderr_sink.hpp"

#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>

#include <chrono>
#include <memory>
#include <unistd.h>

namespace warmlane::observability {
namespace {

constexpr std::size_t kQueuedLinesMax = 8192;
constexpr std::chrono::milliseconds kPatience{500};

/// Everything that makes up a running log; replaced as a whole.
struct Running {
    std::shared_ptr<spdlog::details::thread_pool> threads;
    std::shared_ptr<spdlog::logger> log;
    std::shared_ptr<spdlog::logger> access;
    bool json = false;
};

std::shared_ptr<spdlog::logger> unstarted_log() {
    auto sink = std::make_shared<StderrSink>(STDERR_FILENO, kPatience);
    sink->set_formatter(std::make_unique<TextFormatter>());
    auto logger = std::make_shared<spdlog::logger>("log", std::move(sink));
    logger->set_level(spdlog::level::warn);
    return logger;
}

/// Set before threads start and cleared after they ended.
Running& running() {
    static Running instance{nullptr, unstarted_log(), nullptr, false};
    return instance;
}

std::shared_ptr<spdlog::logger> queued_logger(
    const char* name,
    const spdlog::sink_ptr& sink,
    const std::shared_ptr<spdlog::details::thread_pool>& threads
) {
    // A reader that is too slow costs lines, never a request's time.
    return std::make_shared<spdlog::async_logger>(
        name, sink, threads, spdlog::async_overflow_policy::overrun_oldest
    );
}

}  // namespace

void start_log(const LogOptions& options) {
    Running& current = running();
    current.json = options.format == "json" || (options.format == "auto" && ::isatty(STDERR_FILENO) == 0);
    auto sink = std::make_shared<StderrSink>(STDERR_FILENO, kPatience);
    if (current.json) {
        sink->set_formatter(std::make_unique<JsonFormatter>());
    } else {
        sink->set_formatter(std::make_unique<TextFormatter>());
    }
    current.threads = std::make_shared<spdlog::details::thread_pool>(kQueuedLinesMax, 1);
    current.log = queued_logger("log", sink, current.threads);
    current.log->set_level(spdlog::level::from_str(options.level));
    current.access = queued_logger(kAccessLoggerName, sink, current.threads);
    current.access->set_level(options.access ? current.log->level() : spdlog::level::off);
}

void stop_log() {
    Running& current = running();
    current = Running{nullptr, unstarted_log(), nullptr, false};
}

spdlog::logger& log() {
    return *running().log;
}

void log_access(const AccessRecord& record) {
    const Running& current = running();
    if (!current.access || !current.access->should_log(spdlog::level::info)) {
        return;
    }
    current.access->info("{}", current.json ? json_fields(record) : text_fields(record));
}

}  // namespace warmlane::observability
