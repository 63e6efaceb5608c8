#include "apis.hpp"
#include "message_reader.hpp"
#include "tokenizer.hpp"
#include "tools.hpp"
#include "wire_text.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <utility>

namespace warmlane::sim {
namespace {

namespace json = boost::json;

std::string_view anthropic_reason(StopReason reason) {
    switch (reason) {
        case StopReason::stop: return "end_turn";
        case StopReason::length: return "max_tokens";
        case StopReason::tool_calls: return "tool_use";
    }
    return "end_turn";
}

/// Cached tokens stand beside the input tokens here, not in them.
std::string anthropic_usage(const TokenUsage& usage, std::uint64_t output_tokens, bool report_cached) {
    const std::uint64_t cached = report_cached ? usage.cached_tokens : 0;
    return fmt::format(
        R"({{"input_tokens":{},"cache_creation_input_tokens":0,"cache_read_input_tokens":{},"output_tokens":{}}})",
        usage.prompt_tokens - cached,
        cached,
        output_tokens
    );
}

class MessageFormat final : public AnswerFormat {
public:
    MessageFormat(AnswerHeader header, std::vector<Answer> answers)
        : header_(std::move(header)), answers_(std::move(answers)) {}

    void begin(const TokenUsage& usage, Events& out) override {
        out.push_back(named_event(
            "message_start",
            fmt::format(
                R"({{"type":"message_start","message":{}}})",
                message_json("[]", "null", anthropic_usage(usage, 0, header_.report_cached))
            )
        ));
        out.push_back(named_event(
            "content_block_start",
            fmt::format(
                R"({{"type":"content_block_start","index":0,"content_block":{}}})",
                block_json(answers_.front().tool_call ? "{}" : "")
            )
        ));
    }

    void token(std::size_t choice, std::size_t index, Events& out) override {
        const Answer& answer = answers_[choice];
        const std::string& piece = answer.pieces[index];
        if (piece.empty()) {
            return;
        }
        const std::string delta =
            answer.tool_call
                ? fmt::format(R"({{"type":"input_json_delta","partial_json":{}}})", json_text(piece))
                : fmt::format(R"({{"type":"text_delta","text":{}}})", json_text(piece));
        out.push_back(named_event(
            "content_block_delta",
            fmt::format(R"({{"type":"content_block_delta","index":0,"delta":{}}})", delta)
        ));
    }

    void end_choice(std::size_t, Events& out) override {
        out.push_back(named_event("content_block_stop", R"({"type":"content_block_stop","index":0})"));
    }

    void end(const TokenUsage& usage, Events& out) override {
        out.push_back(named_event(
            "message_delta",
            fmt::format(
                R"({{"type":"message_delta","delta":{{"stop_reason":"{}","stop_sequence":null}},"usage":{}}})",
                anthropic_reason(answers_.front().stop_reason),
                anthropic_usage(usage, usage.output_tokens, header_.report_cached)
            )
        ));
        out.push_back(named_event("message_stop", R"({"type":"message_stop"})"));
    }

    std::string whole(const TokenUsage& usage) override {
        const Answer& answer = answers_.front();
        return message_json(
            fmt::format("[{}]", block_json(answer.text())),
            fmt::format("\"{}\"", anthropic_reason(answer.stop_reason)),
            anthropic_usage(usage, usage.output_tokens, header_.report_cached)
        );
    }

    std::string error_event(const ApiError& error) const override {
        return named_event("error", anthropic_error(error));
    }

private:
    std::string message_json(std::string_view content, std::string_view reason, std::string_view usage)
        const {
        return fmt::format(
            R"({{"id":"{}","type":"message","role":"assistant","model":{},"content":{},"stop_reason":{},)"
            R"("stop_sequence":null,"usage":{}}})",
            header_.id,
            json_text(header_.model),
            content,
            reason,
            usage
        );
    }

    /// `content` is text, or for a tool the JSON of its input.
    std::string block_json(std::string_view content) const {
        const Answer& answer = answers_.front();
        if (!answer.tool_call) {
            return fmt::format(R"({{"type":"text","text":{}}})", json_text(content));
        }
        // Arguments that were cut by the limit are no JSON.
        const bool is_whole = answer.stop_reason != StopReason::length;
        return fmt::format(
            R"({{"type":"tool_use","id":"toolu_{}","name":{},"input":{}}})",
            header_.id,
            json_text(answer.tool_call->name),
            is_whole ? content : "{}"
        );
    }

    const AnswerHeader header_;
    const std::vector<Answer> answers_;
};

/// One message of ours may hold results of tools, which the model sees as messages of their own.
void read_blocks(RequestFields& fields, const json::object& message, std::vector<ChatMessage>& out) {
    ChatMessage spoken{.role = std::string(text_of(message, "role"))};
    const json::value* const content = message.if_contains("content");
    if (content == nullptr || !content->is_array()) {
        spoken.content = read_content(fields, content);
        out.push_back(std::move(spoken));
        return;
    }
    bool has_result = false;
    json::array parts;
    for (const json::value& block : content->get_array()) {
        const json::object none;
        const json::object& object = block.is_object() ? block.get_object() : none;
        const std::string_view type = text_of(object, "type");
        if (type == "tool_result") {
            has_result = true;
            out.push_back({.role = "tool", .content = read_content(fields, object.if_contains("content"))});
        } else if (type == "tool_use") {
            const json::value* const input = object.if_contains("input");
            spoken.tool_calls.push_back(
                {.name = std::string(text_of(object, "name")),
                 .arguments = input != nullptr ? json::serialize(*input) : "{}"}
            );
        } else if (type == "thinking") {
            spoken.reasoning += text_of(object, "thinking");
        } else {
            parts.push_back(block);
        }
    }
    const json::value rest(std::move(parts));
    spoken.content = read_content(fields, &rest);
    if (!has_result || !spoken.content.empty()) {
        out.push_back(std::move(spoken));
    }
}

std::vector<ChatMessage> read_anthropic_messages(RequestFields& fields) {
    std::vector<ChatMessage> messages;
    if (const json::value* system = fields.value("system")) {
        messages.push_back({.role = "system", .content = read_content(fields, system)});
    }
    const json::array& list = fields.list("messages");
    if (list.empty()) {
        fields.fail("messages", "Field required: at least one message");
    }
    for (const json::value& value : list) {
        if (value.is_object() && !text_of(value.get_object(), "role").empty()) {
            read_blocks(fields, value.get_object(), messages);
        } else {
            fields.fail("messages", "each message should be a dictionary with a role");
        }
    }
    return messages;
}

}  // namespace

PlannedJob plan_messages(const ApiContext& context, const json::object& body) {
    RequestFields fields(body);
    GenerationFields wanted = read_generation_fields(fields, context, {"max_tokens"});
    wanted.choices = 1;
    if (!wanted.tokens_max) {
        fields.fail("max_tokens", "Field required");
    }
    const std::vector<ChatMessage> messages = read_anthropic_messages(fields);
    const json::array& tools = fields.list("tools");
    const json::object* const function = choose_function(fields, functions_of(tools), messages);
    JobBuilder builder(fields, context, wanted);
    if (!fields.error()) {
        builder.add_prompt(tokenize(render_chat(messages, tools)), function);
    }
    AnswerHeader header{
        .id = "msg_" + context.request_id,
        .created = context.created,
        .model = wanted.model,
        .include_usage = true,
        .report_cached = context.options.report_cached_tokens,
    };
    return builder.finish(std::make_unique<MessageFormat>(std::move(header), builder.take_answers()));
}

}  // namespace warmlane::sim
