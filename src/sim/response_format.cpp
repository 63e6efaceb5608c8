#include "response_format.hpp"

#include <fmt/format.h>

#include <utility>

namespace warmlane::sim {
namespace {

std::string response_usage(const TokenUsage& usage, bool report_cached) {
    return fmt::format(
        R"({{"input_tokens":{},"input_tokens_details":{{"cached_tokens":{}}},"output_tokens":{},)"
        R"("output_tokens_details":{{"reasoning_tokens":0}},"total_tokens":{}}})",
        usage.prompt_tokens,
        report_cached ? usage.cached_tokens : 0,
        usage.output_tokens,
        usage.prompt_tokens + usage.output_tokens
    );
}

class ResponseFormat final : public AnswerFormat {
public:
    ResponseFormat(AnswerHeader header, Answer answer, std::string prompt, ResponseStore& responses)
        : header_(std::move(header)),
          answer_(std::move(answer)),
          item_id_((answer_.tool_call ? "fc_" : "msg_") + header_.id),
          prompt_(std::move(prompt)),
          responses_(responses) {}

    void begin(const TokenUsage&, Events& out) override {
        const std::string started = response_json("in_progress", "", "null");
        add("response.created", fmt::format(R"("response":{})", started), out);
        add("response.in_progress", fmt::format(R"("response":{})", started), out);
        add("response.output_item.added",
            fmt::format(R"("output_index":0,"item":{})", item_json("", "in_progress")),
            out);
        if (!answer_.tool_call) {
            add("response.content_part.added",
                fmt::format(R"({},"content_index":0,"part":{})", place(), part_json("")),
                out);
        }
    }

    void token(std::size_t, std::size_t index, Events& out) override {
        const std::string delta = json_text(answer_.pieces[index]);
        if (!answer_.tool_call) {
            add("response.output_text.delta",
                fmt::format(R"({},"content_index":0,"delta":{},"logprobs":[])", place(), delta),
                out);
        } else if (!answer_.pieces[index].empty()) {
            add("response.function_call_arguments.delta", fmt::format(R"({},"delta":{})", place(), delta), out
            );
        }
    }

    void end_choice(std::size_t, Events& out) override {
        const std::string text = answer_.text();
        if (answer_.tool_call) {
            add("response.function_call_arguments.done",
                fmt::format(
                    R"({},"name":{},"arguments":{})",
                    place(),
                    json_text(answer_.tool_call->name),
                    json_text(text)
                ),
                out);
        } else {
            add("response.output_text.done",
                fmt::format(R"({},"content_index":0,"text":{},"logprobs":[])", place(), json_text(text)),
                out);
            add("response.content_part.done",
                fmt::format(R"({},"content_index":0,"part":{})", place(), part_json(text)),
                out);
        }
        add("response.output_item.done",
            fmt::format(R"("output_index":0,"item":{})", item_json(text, "completed")),
            out);
    }

    void end(const TokenUsage& usage, Events& out) override {
        const std::string name = is_cut() ? "response.incomplete" : "response.completed";
        add(name, fmt::format(R"("response":{})", whole(usage)), out);
    }

    std::string whole(const TokenUsage& usage) override {
        std::string json = response_json(
            is_cut() ? "incomplete" : "completed",
            item_json(answer_.text(), "completed"),
            response_usage(usage, header_.report_cached)
        );
        responses_.put(header_.id, {.json = json, .transcript = prompt_ + answer_.transcript()});
        return json;
    }

    std::string error_event(const ApiError& error) const override {
        return named_event(
            "error",
            fmt::format(
                R"({{"type":"error","sequence_number":{},"code":"{}","message":{},"param":null}})",
                sequence_,
                error.status,
                json_text(error.message)
            )
        );
    }

private:
    bool is_cut() const { return answer_.stop_reason == StopReason::length; }

    void add(const std::string& name, std::string_view fields, Events& out) {
        out.push_back(named_event(
            name, fmt::format(R"({{"type":"{}","sequence_number":{},{}}})", name, sequence_++, fields)
        ));
    }

    std::string place() const { return fmt::format(R"("item_id":"{}","output_index":0)", item_id_); }

    static std::string part_json(std::string_view text) {
        return fmt::format(
            R"({{"type":"output_text","text":{},"annotations":[],"logprobs":[]}})", json_text(text)
        );
    }

    std::string item_json(std::string_view text, std::string_view status) const {
        if (answer_.tool_call) {
            return fmt::format(
                R"({{"type":"function_call","id":"{}","call_id":"call_{}","name":{},"arguments":{},"status":"{}"}})",
                item_id_,
                header_.id,
                json_text(answer_.tool_call->name),
                json_text(text),
                status
            );
        }
        return fmt::format(
            R"({{"type":"message","id":"{}","role":"assistant","status":"{}","content":[{}]}})",
            item_id_,
            status,
            status == "completed" ? part_json(text) : ""
        );
    }

    std::string response_json(std::string_view status, std::string_view output, std::string_view usage)
        const {
        const bool incomplete = status == "incomplete";
        return fmt::format(
            R"({{"id":"{}","object":"response","created_at":{},"status":"{}","model":{},"output":[{}],"error":null,)"
            R"("incomplete_details":{},"instructions":null,"metadata":null,"parallel_tool_calls":true,)"
            R"("temperature":1.0,"top_p":1.0,"tool_choice":"auto","tools":[],"usage":{}}})",
            header_.id,
            header_.created,
            status,
            json_text(header_.model),
            output,
            incomplete ? R"({"reason":"max_output_tokens"})" : "null",
            usage
        );
    }

    const AnswerHeader header_;
    const Answer answer_;
    const std::string item_id_;
    const std::string prompt_;
    ResponseStore& responses_;
    std::uint64_t sequence_ = 0;
};

}  // namespace

std::unique_ptr<AnswerFormat> make_response_format(
    AnswerHeader header, Answer answer, std::string prompt, ResponseStore& responses
) {
    return std::make_unique<ResponseFormat>(
        std::move(header), std::move(answer), std::move(prompt), responses
    );
}

}  // namespace warmlane::sim
