#pragma once

#include "warmlane/observability/log.hpp"

#include <spdlog/formatter.h>

#include <memory>
#include <string>
#include <string_view>

namespace warmlane::observability {

/// The logger whose messages are fields already.
inline constexpr const char* kAccessLoggerName = "access";

/// Text with control characters and invalid UTF-8 as escapes: it stays on its line and is fit for JSON.
std::string printable(std::string_view text);

/// One line for people: time, level, message.
class TextFormatter final : public spdlog::formatter {
public:
    void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override;
    std::unique_ptr<spdlog::formatter> clone() const override;
};

/// One JSON object a line: `time`, `level`, and `message` or the fields of an access line.
class JsonFormatter final : public spdlog::formatter {
public:
    void format(const spdlog::details::log_msg& message, spdlog::memory_buf_t& out) override;
    std::unique_ptr<spdlog::formatter> clone() const override;
};

/// An access line as `name=value` pairs, and as the inside of a JSON object.
std::string text_fields(const AccessRecord& record);
std::string json_fields(const AccessRecord& record);

}  // namespace warmlane::observability
