#include "chat_template.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <xxhash.h>

#include <cstdint>
#include <iterator>
#include <span>

namespace warmlane::sim {
namespace {

constexpr std::string_view kMessageStart = "<|im_start|>";
constexpr std::string_view kDefaultSystem = "You are a helpful assistant.";
constexpr std::string_view kToolsOpening =
    "\n\n# Tools\n\nYou may call one or more functions to assist with the user query.\n\n"
    "You are provided with function signatures within <tools></tools> XML tags:\n<tools>";
constexpr std::string_view kToolsClosing =
    "\n</tools>\n\nFor each function call, return a json object with function name and arguments within "
    "<tool_call></tool_call> XML tags.";
constexpr std::size_t kMediaWords = 64;

bool is_system(const ChatMessage& message) {
    return message.role == "system" || message.role == "developer";
}

void append_system(std::string& out, std::string_view text, const boost::json::array& tools) {
    fmt::format_to(std::back_inserter(out), "{}system\n{}", kMessageStart, text);
    if (!tools.empty()) {
        out += kToolsOpening;
        for (const boost::json::value& tool : tools) {
            out += '\n';
            out += boost::json::serialize(tool);
        }
        out += kToolsClosing;
    }
    out += kMessageEnd;
}

void append_message(std::string& out, const ChatMessage& message) {
    if (message.role == "tool" || message.role == "function") {
        fmt::format_to(
            std::back_inserter(out),
            "{}user\n<tool_response>\n{}\n</tool_response>{}",
            kMessageStart,
            message.content,
            kMessageEnd
        );
        return;
    }
    fmt::format_to(std::back_inserter(out), "{}{}\n", kMessageStart, message.role);
    if (!message.reasoning.empty()) {
        fmt::format_to(std::back_inserter(out), "<think>\n{}\n</think>\n\n", message.reasoning);
    }
    out += message.content;
    for (std::size_t i = 0; i < message.tool_calls.size(); ++i) {
        if (i > 0 || !message.content.empty()) {
            out += '\n';
        }
        out += render_tool_call(message.tool_calls[i]);
    }
    out += kMessageEnd;
}

void append_messages(std::string& out, std::span<const ChatMessage> messages) {
    for (const ChatMessage& message : messages) {
        append_message(out, message);
    }
}

}  // namespace

std::string render_chat(const std::vector<ChatMessage>& messages, const boost::json::array& tools) {
    std::string out;
    std::span<const ChatMessage> rest(messages);
    std::string_view system = kDefaultSystem;
    if (!rest.empty() && is_system(rest.front())) {
        system = rest.front().content;
        rest = rest.subspan(1);
    }
    append_system(out, system, tools);
    append_messages(out, rest);
    out += kAnswerOpening;
    return out;
}

std::string render_messages(const std::vector<ChatMessage>& messages) {
    std::string out;
    append_messages(out, messages);
    return out;
}

std::string render_tool_call(const ToolCall& call) {
    return fmt::format(
        "<tool_call>\n{{\"name\": {}, \"arguments\": {}}}\n</tool_call>",
        boost::json::serialize(boost::json::string(call.name)),
        call.arguments
    );
}

std::string media_placeholder(std::string_view kind, std::string_view reference) {
    std::string out = fmt::format("<|{}_start|>", kind);
    std::uint64_t hash = XXH3_64bits(reference.data(), reference.size());
    for (std::size_t i = 0; i < kMediaWords; ++i) {
        hash = XXH3_64bits_withSeed(&hash, sizeof(hash), i);
        fmt::format_to(std::back_inserter(out), " {:04x}", hash & 0xFFFFU);
    }
    fmt::format_to(std::back_inserter(out), "<|{}_end|>", kind);
    return out;
}

}  // namespace warmlane::sim
