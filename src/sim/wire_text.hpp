#pragma once

#include "answer.hpp"
#include "job.hpp"

#include <string>
#include <string_view>

namespace warmlane::sim {

/// A JSON string, in quotes and escaped.
std::string json_text(std::string_view text);

/// `data: {json}\n\n`.
std::string data_event(std::string_view json);
/// `event: {name}\ndata: {json}\n\n`.
std::string named_event(std::string_view name, std::string_view json);

inline constexpr std::string_view kDoneEvent = "data: [DONE]\n\n";

/// The `usage` object of chat and text completions.
std::string usage_json(const TokenUsage& usage, bool report_cached);

/// `stop`, `length` or `tool_calls`.
std::string_view finish_reason(StopReason reason);

/// What every chunk and answer of one request says about it.
struct AnswerHeader {
    std::string id;
    std::int64_t created = 0;
    std::string model;
    bool include_usage = false;
    bool report_cached = true;
};

}  // namespace warmlane::sim
