#include "apis.hpp"
#include "message_reader.hpp"
#include "tokenizer.hpp"
#include "tools.hpp"
#include "wire_text.hpp"

#include <fmt/format.h>

#include <utility>

namespace warmlane::sim {
namespace {

class ChatFormat final : public AnswerFormat {
public:
    ChatFormat(AnswerHeader header, std::vector<Answer> answers)
        : header_(std::move(header)), answers_(std::move(answers)), call_begun_(answers_.size(), false) {}

    void begin(const TokenUsage&, Events& out) override {
        for (std::size_t choice = 0; choice < answers_.size(); ++choice) {
            out.push_back(delta_event(choice, R"({"role":"assistant","content":""})", "null"));
        }
    }

    void token(std::size_t choice, std::size_t index, Events& out) override {
        const Answer& answer = answers_[choice];
        const std::string& piece = answer.pieces[index];
        if (!answer.tool_call) {
            out.push_back(delta_event(choice, fmt::format(R"({{"content":{}}})", json_text(piece)), "null"));
        } else if (!piece.empty()) {
            begin_call(choice, *answer.tool_call, out);
            const std::string delta = fmt::format(
                R"({{"tool_calls":[{{"index":0,"function":{{"arguments":{}}}}}]}})", json_text(piece)
            );
            out.push_back(delta_event(choice, delta, "null"));
        }
    }

    void end_choice(std::size_t choice, Events& out) override {
        const std::string reason =
            fmt::format(R"("{}","stop_reason":null)", finish_reason(answers_[choice].stop_reason));
        out.push_back(delta_event(choice, "{}", reason));
    }

    void end(const TokenUsage& usage, Events& out) override {
        if (header_.include_usage) {
            const std::string counts = usage_json(usage, header_.report_cached);
            out.push_back(data_event(fmt::format(R"({},"choices":[],"usage":{}}})", chunk_opening(), counts))
            );
        }
        out.emplace_back(kDoneEvent);
    }

    std::string whole(const TokenUsage& usage) override {
        std::string choices;
        for (std::size_t i = 0; i < answers_.size(); ++i) {
            choices += fmt::format(
                R"({}{{"index":{},"message":{},"logprobs":null,"finish_reason":"{}","stop_reason":null}})",
                i == 0 ? "" : ",",
                i,
                message_json(i),
                finish_reason(answers_[i].stop_reason)
            );
        }
        return fmt::format(
            R"({{"id":"{}","object":"chat.completion","created":{},"model":{},"choices":[{}],"usage":{}}})",
            header_.id,
            header_.created,
            json_text(header_.model),
            choices,
            usage_json(usage, header_.report_cached)
        );
    }

    std::string error_event(const ApiError& error) const override { return data_event(openai_error(error)); }

private:
    std::string chunk_opening() const {
        return fmt::format(
            R"({{"id":"{}","object":"chat.completion.chunk","created":{},"model":{})",
            header_.id,
            header_.created,
            json_text(header_.model)
        );
    }

    std::string delta_event(std::size_t choice, std::string_view delta, std::string_view reason) const {
        return data_event(fmt::format(
            R"({},"choices":[{{"index":{},"delta":{},"logprobs":null,"finish_reason":{}}}]}})",
            chunk_opening(),
            choice,
            delta,
            reason
        ));
    }

    std::string call_id(std::size_t choice) const { return fmt::format("call-{}-{}", header_.id, choice); }

    void begin_call(std::size_t choice, const ToolCall& call, Events& out) {
        if (call_begun_[choice]) {
            return;
        }
        call_begun_[choice] = true;
        const std::string delta = fmt::format(
            R"({{"tool_calls":[{{"index":0,"id":"{}","type":"function","function":{{"name":{},"arguments":""}}}}]}})",
            call_id(choice),
            json_text(call.name)
        );
        out.push_back(delta_event(choice, delta, "null"));
    }

    std::string message_json(std::size_t choice) const {
        const Answer& answer = answers_[choice];
        const std::string text = json_text(answer.text());
        if (!answer.tool_call) {
            return fmt::format(R"({{"role":"assistant","content":{},"tool_calls":[]}})", text);
        }
        return fmt::format(
            R"({{"role":"assistant","content":null,"tool_calls":[{{"id":"{}","type":"function",)"
            R"("function":{{"name":{},"arguments":{}}}}}]}})",
            call_id(choice),
            json_text(answer.tool_call->name),
            text
        );
    }

    const AnswerHeader header_;
    const std::vector<Answer> answers_;
    std::vector<bool> call_begun_;
};

}  // namespace

PlannedJob plan_chat(const ApiContext& context, const boost::json::object& body) {
    RequestFields fields(body);
    const GenerationFields wanted =
        read_generation_fields(fields, context, {"max_completion_tokens", "max_tokens"});
    const std::vector<ChatMessage> messages = read_chat_messages(fields);
    const boost::json::array& tools = fields.list("tools");
    const boost::json::object* const function = choose_function(fields, functions_of(tools), messages);
    JobBuilder builder(fields, context, wanted);
    if (!fields.error()) {
        builder.add_prompt(tokenize(render_chat(messages, tools)), function);
    }
    AnswerHeader header{
        .id = "chatcmpl-" + context.request_id,
        .created = context.created,
        .model = wanted.model,
        .include_usage = wanted.include_usage,
        .report_cached = context.options.report_cached_tokens,
    };
    return builder.finish(std::make_unique<ChatFormat>(std::move(header), builder.take_answers()));
}

}  // namespace warmlane::sim
