#include "openai/message_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warmlane::openai {
namespace {

enum class Form : std::uint8_t { text, content, list, raw };

struct MessageKey {
    std::string_view name;
    FieldKind kind;
    Form form;
};

/// In the order in which their fields stand in the prompt.
constexpr MessageKey kKeys[] = {
    {"role", FieldKind::role, Form::text},
    {"name", FieldKind::name, Form::text},
    {"content", FieldKind::text, Form::content},
    {"refusal", FieldKind::refusal, Form::text},
    {"reasoning", FieldKind::reasoning, Form::text},
    {"reasoning_content", FieldKind::reasoning, Form::text},
    {"tool_calls", FieldKind::tool_calls, Form::list},
    {"function_call", FieldKind::tool_calls, Form::raw},
    {"tool_call_id", FieldKind::tool_call_id, Form::text},
};

std::size_t key_of(std::string_view name) {
    const auto* const key = std::ranges::find(kKeys, name, &MessageKey::name);
    return static_cast<std::size_t>(key - std::begin(kKeys));
}

}  // namespace

bool MessageReader::read_messages(PromptBuilder& prompt) {
    static_assert(std::size(kKeys) == kMessageKeys);
    JsonScanner& json = body_.json;
    if (json.kind() != JsonKind::list) {
        return body_.refuse("messages", "must be a list of messages");
    }
    const std::size_t begin = json.offset();
    json.open();
    for (message_ = 0; json.next_element(); ++message_) {
        if (json.kind() != JsonKind::object) {
            return body_.refuse(fmt::format("messages[{}]", message_), "must be an object");
        }
        if (!read_message(prompt)) {
            return false;
        }
    }
    return message_ != 0 ? body_.good() : body_.refuse_at(begin, "messages", "must not be empty");
}

bool MessageReader::read_message(PromptBuilder& prompt) {
    values_.fill({});
    content_.clear();
    SeenKeys seen;
    std::string_view name;
    body_.json.open();
    while (body_.json.next_member(body_.scratch, name)) {
        const std::size_t key = key_of(name);
        if (key == kMessageKeys) {
            body_.json.skip();
        } else if (!seen.mark(key)) {
            return body_.refuse(param_of(name), kStandsTwice);
        } else if (!read_value(key)) {
            return false;
        }
    }
    for (std::size_t key = 0; key < kMessageKeys; ++key) {
        if (kKeys[key].form == Form::content) {
            std::ranges::for_each(content_, [&prompt](const Field& field) { prompt.add(field); });
        } else if (key == 0 || !values_[key].empty()) {
            // The role stands also when it is empty: it begins the message.
            prompt.add({kKeys[key].kind, values_[key]});
        }
    }
    return body_.good();
}

bool MessageReader::read_value(std::size_t key) {
    const std::string_view name = kKeys[key].name;
    switch (kKeys[key].form) {
        case Form::text:
            return body_.read_string(values_[key]) || body_.refuse(param_of(name), "must be a string");
        case Form::list:
            return body_.read_raw_list(values_[key]) || body_.refuse(param_of(name), "must be a list");
        case Form::raw: values_[key] = body_.json.skip(); return body_.good();
        case Form::content:
            return collect_content(Nesting::outer) ||
                   body_.refuse(param_of(name), "must be a string or a list of parts");
    }
    return false;
}

bool MessageReader::read_content(std::string_view param, FieldKind kind, PromptBuilder& prompt) {
    content_.clear();
    const bool in_parts = body_.json.kind() == JsonKind::list;
    if (!collect_content(Nesting::outer)) {
        return body_.refuse(std::string(param), "must be a string or a list of parts");
    }
    for (const Field& field : content_) {
        const bool text = field.kind == FieldKind::text;
        // A line of accounting that a client puts before its system prompt, different in every request;
        // engines that know the client leave it out too.
        if (text && in_parts && field.bytes.starts_with("x-anthropic-billing-header")) {
            continue;
        }
        prompt.add({text ? kind : field.kind, field.bytes});
    }
    return true;
}

void MessageReader::collect(FieldKind kind, std::string_view bytes) {
    if (content_.size() < PromptBuilder::kFieldsMax) {
        content_.push_back({kind, bytes});
    }
}

std::string MessageReader::param_of(std::string_view key) const {
    return fmt::format("messages[{}].{}", message_, key);
}

}  // namespace warmlane::openai
