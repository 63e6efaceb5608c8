#include "message_reader.hpp"

#include <boost/json/serialize.hpp>

#include <array>
#include <string_view>
#include <utility>

namespace warmlane::sim {
namespace {

namespace json = boost::json;

constexpr std::array<std::string_view, 3> kMedia = {"image", "audio", "video"};

std::string read_part(RequestFields& fields, const json::value& part) {
    if (part.is_string()) {
        return std::string(part.get_string());
    }
    if (!part.is_object()) {
        fields.fail("messages", "a content part should be a dictionary");
        return {};
    }
    const json::object& object = part.get_object();
    for (const std::string_view key : {"text", "refusal"}) {
        const json::value* const text = object.if_contains(key);
        if (text != nullptr && text->is_string()) {
            return std::string(text->get_string());
        }
    }
    const std::string_view type = text_of(object, "type");
    for (const std::string_view medium : kMedia) {
        if (type.find(medium) != std::string_view::npos) {
            return media_placeholder(medium, json::serialize(object));
        }
    }
    return media_placeholder("file", json::serialize(object));
}

std::vector<ToolCall> read_tool_calls(const json::value* calls) {
    std::vector<ToolCall> out;
    if (calls == nullptr || !calls->is_array()) {
        return out;
    }
    for (const json::value& call : calls->get_array()) {
        const json::value* const function =
            call.is_object() ? call.get_object().if_contains("function") : nullptr;
        if (function != nullptr && function->is_object()) {
            const json::object& object = function->get_object();
            out.push_back(
                {.name = std::string(text_of(object, "name")),
                 .arguments = std::string(text_of(object, "arguments"))}
            );
        }
    }
    return out;
}

ChatMessage read_message(RequestFields& fields, const json::value& value) {
    if (!value.is_object() || text_of(value.get_object(), "role").empty()) {
        fields.fail("messages", "each message should be a dictionary with a role");
        return {};
    }
    const json::object& object = value.get_object();
    const std::string_view reasoning = text_of(object, "reasoning_content");
    return {
        .role = std::string(text_of(object, "role")),
        .content = read_content(fields, object.if_contains("content")),
        .reasoning = std::string(reasoning.empty() ? text_of(object, "reasoning") : reasoning),
        .tool_calls = read_tool_calls(object.if_contains("tool_calls")),
    };
}

}  // namespace

std::string read_content(RequestFields& fields, const json::value* content) {
    if (content == nullptr || content->is_null()) {
        return {};
    }
    if (content->is_string()) {
        return std::string(content->get_string());
    }
    if (!content->is_array()) {
        fields.fail("messages", "content should be a string or a list of parts");
        return {};
    }
    std::string text;
    for (const json::value& part : content->get_array()) {
        text += read_part(fields, part);
    }
    return text;
}

std::vector<ChatMessage> read_chat_messages(RequestFields& fields) {
    const json::array& list = fields.list("messages");
    if (list.empty()) {
        fields.fail("messages", "Field required: at least one message");
    }
    std::vector<ChatMessage> messages;
    messages.reserve(list.size());
    for (const json::value& value : list) {
        messages.push_back(read_message(fields, value));
    }
    return messages;
}

}  // namespace warmlane::sim
