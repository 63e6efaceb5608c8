#include "apis.hpp"
#include "message_reader.hpp"
#include "response_format.hpp"
#include "tokenizer.hpp"
#include "tools.hpp"

#include <fmt/format.h>

#include <utility>

namespace warmlane::sim {
namespace {

namespace json = boost::json;

/// One item of `input`: a message, a call that the model made, or the result of one.
ChatMessage read_item(RequestFields& fields, const json::object& item) {
    const std::string_view type = text_of(item, "type");
    if (type == "function_call") {
        ToolCall call{
            .name = std::string(text_of(item, "name")), .arguments = std::string(text_of(item, "arguments"))
        };
        return {.role = "assistant", .tool_calls = {std::move(call)}};
    }
    if (type == "function_call_output") {
        std::string output = read_content(fields, item.if_contains("output"));
        return {.role = "tool", .content = std::move(output)};
    }
    if (type == "reasoning") {
        std::string reasoning = read_content(fields, item.if_contains("summary"));
        return {.role = "assistant", .reasoning = std::move(reasoning)};
    }
    if (text_of(item, "role").empty()) {
        fields.fail("input", "each item should be a message or a function call");
    }
    return {
        .role = std::string(text_of(item, "role")),
        .content = read_content(fields, item.if_contains("content")),
    };
}

std::vector<ChatMessage> read_input(RequestFields& fields) {
    std::vector<ChatMessage> messages;
    const json::value* const input = fields.value("input");
    if (input == nullptr) {
        fields.fail("input", "Field required");
    } else if (input->is_string()) {
        messages.push_back({.role = "user", .content = std::string(input->get_string())});
    } else {
        for (const json::value& item : fields.list("input")) {
            if (item.is_object()) {
                messages.push_back(read_item(fields, item.get_object()));
            } else {
                fields.fail("input", "each item should be a dictionary");
            }
        }
    }
    return messages;
}

/// The prompt continues an earlier answer when the request names one.
std::string prompt_text(RequestFields& fields, const ApiContext& context, std::vector<ChatMessage> messages) {
    const std::string previous_id = fields.text("previous_response_id");
    if (!previous_id.empty()) {
        const ResponseStore::Entry* const previous = context.responses.find(previous_id);
        if (previous == nullptr) {
            fields.fail(
                {.status = 404,
                 .message = fmt::format("Response with id '{}' not found.", previous_id),
                 .param = "previous_response_id"}
            );
            return {};
        }
        return fmt::format(
            "{}{}{}{}", previous->transcript, kMessageEnd, render_messages(messages), kAnswerOpening
        );
    }
    std::string instructions = fields.text("instructions");
    if (!instructions.empty()) {
        messages.insert(messages.begin(), {.role = "system", .content = std::move(instructions)});
    }
    return render_chat(messages, fields.list("tools"));
}

}  // namespace

PlannedJob plan_responses(const ApiContext& context, const json::object& body) {
    RequestFields fields(body);
    GenerationFields wanted = read_generation_fields(fields, context, {"max_output_tokens"});
    wanted.choices = 1;
    const std::vector<ChatMessage> messages = read_input(fields);
    const json::object* const function =
        choose_function(fields, functions_of(fields.list("tools")), messages);
    const std::string prompt = prompt_text(fields, context, messages);
    JobBuilder builder(fields, context, wanted);
    if (!fields.error()) {
        builder.add_prompt(tokenize(prompt), function);
    }
    AnswerHeader header{
        .id = "resp_" + context.request_id,
        .created = context.created,
        .model = wanted.model,
        .include_usage = true,
        .report_cached = context.options.report_cached_tokens,
    };
    std::vector<Answer> answers = builder.take_answers();
    if (const ApiError* const error = fields.error()) {
        return *error;
    }
    return builder.finish(
        make_response_format(std::move(header), std::move(answers.front()), prompt, context.responses)
    );
}

}  // namespace warmlane::sim
