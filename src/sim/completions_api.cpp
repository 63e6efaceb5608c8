#include "apis.hpp"
#include "prompt_reader.hpp"
#include "wire_text.hpp"

#include <fmt/format.h>

#include <utility>

namespace warmlane::sim {
namespace {

class CompletionFormat final : public AnswerFormat {
public:
    CompletionFormat(AnswerHeader header, std::vector<Answer> answers)
        : header_(std::move(header)), answers_(std::move(answers)) {}

    void begin(const TokenUsage&, Events&) override {}

    void token(std::size_t choice, std::size_t index, Events& out) override {
        out.push_back(text_event(choice, answers_[choice].pieces[index], "null"));
    }

    void end_choice(std::size_t choice, Events& out) override {
        out.push_back(
            text_event(choice, "", fmt::format("\"{}\"", finish_reason(answers_[choice].stop_reason)))
        );
    }

    void end(const TokenUsage& usage, Events& out) override {
        if (header_.include_usage) {
            const std::string counts = usage_json(usage, header_.report_cached);
            out.push_back(data_event(fmt::format(R"({},"choices":[],"usage":{}}})", opening(), counts)));
        }
        out.emplace_back(kDoneEvent);
    }

    std::string whole(const TokenUsage& usage) override {
        std::string choices;
        for (std::size_t i = 0; i < answers_.size(); ++i) {
            const std::string reason = fmt::format("\"{}\"", finish_reason(answers_[i].stop_reason));
            choices += i == 0 ? "" : ",";
            choices += choice_json(i, answers_[i].text(), reason);
        }
        return fmt::format(
            R"({},"choices":[{}],"usage":{}}})", opening(), choices, usage_json(usage, header_.report_cached)
        );
    }

    std::string error_event(const ApiError& error) const override { return data_event(openai_error(error)); }

private:
    std::string opening() const {
        return fmt::format(
            R"({{"id":"{}","object":"text_completion","created":{},"model":{})",
            header_.id,
            header_.created,
            json_text(header_.model)
        );
    }

    static std::string choice_json(std::size_t choice, std::string_view text, std::string_view reason) {
        return fmt::format(
            R"({{"index":{},"text":{},"logprobs":null,"finish_reason":{},"stop_reason":null}})",
            choice,
            json_text(text),
            reason
        );
    }

    std::string text_event(std::size_t choice, std::string_view text, std::string_view reason) const {
        return data_event(fmt::format(R"({},"choices":[{}]}})", opening(), choice_json(choice, text, reason))
        );
    }

    const AnswerHeader header_;
    const std::vector<Answer> answers_;
};

}  // namespace

PlannedJob plan_completions(const ApiContext& context, const boost::json::object& body) {
    RequestFields fields(body);
    const GenerationFields wanted = read_generation_fields(fields, context, {"max_tokens"});
    JobBuilder builder(fields, context, wanted);
    for (std::vector<Token>& prompt : read_prompts(fields, "prompt")) {
        builder.add_prompt(std::move(prompt), nullptr);
    }
    AnswerHeader header{
        .id = "cmpl-" + context.request_id,
        .created = context.created,
        .model = wanted.model,
        .include_usage = wanted.include_usage,
        .report_cached = context.options.report_cached_tokens,
    };
    return builder.finish(std::make_unique<CompletionFormat>(std::move(header), builder.take_answers()));
}

}  // namespace warmlane::sim
