#pragma once

#include <spdlog/logger.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace warmlane::observability {

struct LogOptions {
    /// `debug`, `info`, `warn`, `error` or `off`.
    std::string level = "info";
    /// `text`, `json`, or `auto`: text on a terminal, JSON lines otherwise.
    std::string format = "auto";
    /// One line per request at level info.
    bool access = true;
};

/// Sets up the process's log on standard error: bounded queue, written by a thread of its own, oldest lines
/// lost when the reader is too slow. Before the first `log()`; without it, log() writes warnings as text.
void start_log(const LogOptions& options);

/// Writes what is queued and ends the log's thread; before the process exits.
void stop_log();

/// Any thread. Whatever came from outside goes through `escaped` first.
spdlog::logger& log();

/// Printable form of text from outside: control characters, quotes, backslashes and invalid UTF-8 as escapes,
/// cut after `bytes_max` bytes.
std::string escaped(std::string_view text, std::size_t bytes_max = 256);

/// The access log's line of one request.
struct AccessRecord {
    std::string_view request_id;
    std::string_view client;
    std::string_view method;
    std::string_view path;
    std::string_view model;
    std::string_view endpoint;
    /// 0 when nothing was sent.
    unsigned status = 0;
    std::uint32_t attempts = 0;
    std::uint32_t match_blocks = 0;
    std::uint32_t total_blocks = 0;
    std::optional<std::uint64_t> prompt_tokens;
    std::optional<std::uint64_t> completion_tokens;
    std::optional<std::uint64_t> cached_tokens;
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    std::chrono::nanoseconds overhead{0};
    std::optional<std::chrono::nanoseconds> first_byte;
    std::chrono::nanoseconds total{0};
    /// Why it ended: `complete`, `client_gone`, `upstream_closed`, ...
    std::string_view end;
};

/// Writes the line unless the access log is off. Values are escaped here.
void log_access(const AccessRecord& record);

}  // namespace warmlane::observability
