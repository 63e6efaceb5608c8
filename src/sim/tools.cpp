#include "tools.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace warmlane::sim {
namespace {

namespace json = boost::json;

struct ToolChoice {
    enum class Mode : std::uint8_t { none, automatic, required, named };
    Mode mode = Mode::automatic;
    std::string_view name;
};

ToolChoice choice_of_word(std::string_view word, std::string_view name) {
    using Mode = ToolChoice::Mode;
    if (word == "none") {
        return {.mode = Mode::none, .name = {}};
    }
    if (word == "required" || word == "any") {
        return {.mode = Mode::required, .name = {}};
    }
    const bool names_one = word == "function" || word == "tool";
    return {.mode = names_one ? Mode::named : Mode::automatic, .name = name};
}

ToolChoice read_tool_choice(const json::value* choice) {
    if (choice == nullptr) {
        return {};
    }
    if (choice->is_string()) {
        return choice_of_word(choice->get_string(), {});
    }
    if (!choice->is_object()) {
        return {};
    }
    const json::object& object = choice->get_object();
    const json::value* function = object.if_contains("function");
    const json::object& named =
        function != nullptr && function->is_object() ? function->get_object() : object;
    return choice_of_word(text_of(object, "type"), text_of(named, "name"));
}

}  // namespace

std::vector<const json::object*> functions_of(const json::array& tools) {
    std::vector<const json::object*> functions;
    for (const json::value& tool : tools) {
        if (!tool.is_object()) {
            continue;
        }
        const json::value* function = tool.get_object().if_contains("function");
        const json::value& described = function != nullptr && function->is_object() ? *function : tool;
        if (!text_of(described.get_object(), "name").empty()) {
            functions.push_back(&described.get_object());
        }
    }
    return functions;
}

const json::object* choose_function(
    RequestFields& fields,
    const std::vector<const json::object*>& functions,
    const std::vector<ChatMessage>& messages
) {
    const ToolChoice choice = read_tool_choice(fields.value("tool_choice"));
    const auto first = [&functions](const auto& accepts) -> const json::object* {
        const auto found = std::ranges::find_if(functions, accepts);
        return found == functions.end() ? nullptr : *found;
    };
    switch (choice.mode) {
        case ToolChoice::Mode::none: return nullptr;
        case ToolChoice::Mode::required: {
            if (functions.empty()) {
                fields.fail("tool_choice", "tools must be set when a tool call is required");
                return nullptr;
            }
            return functions.front();
        }
        case ToolChoice::Mode::named: {
            const auto* const named =
                first([&](const json::object* f) { return text_of(*f, "name") == choice.name; });
            if (named == nullptr) {
                fields.fail("tool_choice", "no tool has that name");
            }
            return named;
        }
        case ToolChoice::Mode::automatic: break;
    }
    if (messages.empty() || messages.back().role != "user") {
        return nullptr;
    }
    const std::string& text = messages.back().content;
    return first([&](const json::object* f) { return text.find(text_of(*f, "name")) != std::string::npos; });
}

}  // namespace warmlane::sim
