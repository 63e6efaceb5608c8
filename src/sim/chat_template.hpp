#pragma once

#include <boost/json/array.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace warmlane::sim {

/// A function that the model called or is made to call.
struct ToolCall {
    std::string name;
    /// JSON as text.
    std::string arguments;
};

/// One message of a conversation, the same whichever API it came by.
struct ChatMessage {
    std::string role{};
    /// Text; media stand in it as placeholders.
    std::string content{};
    std::string reasoning{};
    std::vector<ToolCall> tool_calls{};
};

/// The prompt that a model of the ChatML family gets: tools and system text first, then message by message,
/// then the beginning of the answer. A longer conversation continues the bytes of the shorter one.
std::string render_chat(const std::vector<ChatMessage>& messages, const boost::json::array& tools);

/// The same without the beginning of an answer.
std::string render_messages(const std::vector<ChatMessage>& messages);

/// How a tool call looks in the model's own output.
std::string render_tool_call(const ToolCall& call);

/// What stands in a prompt for an image, a sound or a film: as many words as an encoder makes tokens, chosen
/// by the bytes of `reference` (URL or data), so that equal media are equal prompts.
std::string media_placeholder(std::string_view kind, std::string_view reference);

/// The beginning of the answer, and its end in the next prompt.
inline constexpr std::string_view kAnswerOpening = "<|im_start|>assistant\n";
inline constexpr std::string_view kMessageEnd = "<|im_end|>\n";

}  // namespace warmlane::sim
