#include "wire_text.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

namespace warmlane::sim {
namespace {

std::string_view openai_type(unsigned status) {
    switch (status) {
        case 400: return "BadRequestError";
        case 404: return "NotFoundError";
        case 429: return "RateLimitError";
        case 501: return "NotImplementedError";
        case 503: return "ServiceUnavailableError";
        default: return status < 500 ? "BadRequestError" : "InternalServerError";
    }
}

std::string_view anthropic_type(unsigned status) {
    switch (status) {
        case 404: return "not_found_error";
        case 429: return "rate_limit_error";
        case 503: return "overloaded_error";
        default: return status < 500 ? "invalid_request_error" : "api_error";
    }
}

}  // namespace

std::string json_text(std::string_view text) {
    return boost::json::serialize(boost::json::string(text));
}

std::string data_event(std::string_view json) {
    return fmt::format("data: {}\n\n", json);
}

std::string named_event(std::string_view name, std::string_view json) {
    return fmt::format("event: {}\ndata: {}\n\n", name, json);
}

std::string usage_json(const TokenUsage& usage, bool report_cached) {
    std::string details;
    if (report_cached) {
        details = fmt::format(R"(,"prompt_tokens_details":{{"cached_tokens":{}}})", usage.cached_tokens);
    }
    return fmt::format(
        R"({{"prompt_tokens":{},"total_tokens":{},"completion_tokens":{}{}}})",
        usage.prompt_tokens,
        usage.prompt_tokens + usage.output_tokens,
        usage.output_tokens,
        details
    );
}

std::string_view finish_reason(StopReason reason) {
    switch (reason) {
        case StopReason::stop: return "stop";
        case StopReason::length: return "length";
        case StopReason::tool_calls: return "tool_calls";
    }
    return "stop";
}

std::string openai_error(const ApiError& error) {
    return fmt::format(
        R"({{"error":{{"message":{},"type":"{}","param":{},"code":{}}}}})",
        json_text(error.message),
        openai_type(error.status),
        error.param.empty() ? "null" : json_text(error.param),
        error.status
    );
}

std::string anthropic_error(const ApiError& error) {
    return fmt::format(
        R"({{"type":"error","error":{{"type":"{}","message":{}}}}})",
        anthropic_type(error.status),
        json_text(error.message)
    );
}

}  // namespace warmlane::sim
