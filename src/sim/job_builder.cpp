#include "job_builder.hpp"

#include <fmt/format.h>

#include <utility>

namespace warmlane::sim {
namespace {

constexpr std::uint32_t kChoicesMax = 128;
constexpr std::size_t kRequestsMax = 1'024;

ApiError too_long(std::uint32_t tokens_max, std::size_t prompt_tokens) {
    return {
        .status = 400,
        .message = fmt::format(
            "This model's maximum context length is {} tokens. However, your request has {} input tokens. "
            "Please "
            "reduce the length of the input messages.",
            tokens_max,
            prompt_tokens
        ),
    };
}

}  // namespace

GenerationFields read_generation_fields(
    RequestFields& fields, const ApiContext& context, std::initializer_list<std::string_view> limit_keys
) {
    GenerationFields wanted;
    wanted.model = fields.text("model");
    if (wanted.model.empty()) {
        wanted.model = context.options.model;
    } else if (wanted.model != context.options.model) {
        fields.fail(
            {.status = 404,
             .message = fmt::format("The model `{}` does not exist.", wanted.model),
             .param = "model"}
        );
    }
    const std::string salt = fields.text("cache_salt");
    wanted.cache_scope = fmt::format("{}:{}{}", wanted.model.size(), wanted.model, salt);
    for (const std::string_view key : limit_keys) {
        if (!wanted.tokens_max) {
            wanted.tokens_max = fields.count(key, 1);
        }
    }
    wanted.choices = fields.count("n", 1, kChoicesMax).value_or(1);
    wanted.seed =
        mix_seed(context.options.engine.seed, static_cast<std::uint64_t>(fields.integer("seed").value_or(0)));
    wanted.ignore_eos = fields.flag("ignore_eos");
    wanted.stream = fields.flag("stream");
    RequestFields stream_options(fields.object("stream_options"));
    wanted.include_usage = stream_options.flag("include_usage");
    return wanted;
}

void JobBuilder::add_prompt(std::vector<Token> prompt, const boost::json::object* function) {
    const std::uint32_t tokens_max = context_.request_tokens_max;
    if (prompt.empty()) {
        fields_.fail({.status = 400, .message = "The prompt is empty."});
        return;
    }
    if (prompt.size() + wanted_.tokens_max.value_or(1) > tokens_max) {
        fields_.fail(too_long(tokens_max, prompt.size()));
        return;
    }
    if (job_.requests.size() + wanted_.choices > kRequestsMax) {
        fields_.fail("n", "too many prompts and choices");
        return;
    }
    for (std::uint32_t i = 0; i < wanted_.choices; ++i) {
        Answer answer = plan_answer({
            .prompt = prompt,
            .tokens_max = wanted_.tokens_max,
            .default_tokens = context_.options.answer_tokens,
            .room = tokens_max - static_cast<std::uint32_t>(prompt.size()),
            .ignore_eos = wanted_.ignore_eos,
            .seed = mix_seed(wanted_.seed, i),
            .function = function,
        });
        job_.requests.push_back(
            {.prompt = prompt, .output = answer.tokens, .cache_scope = wanted_.cache_scope}
        );
        job_.stop_reasons.push_back(answer.stop_reason);
        answers_.push_back(std::move(answer));
    }
}

PlannedJob JobBuilder::finish(std::unique_ptr<AnswerFormat> format) {
    if (const ApiError* const error = fields_.error()) {
        return *error;
    }
    job_.format = std::move(format);
    job_.stream = wanted_.stream;
    job_.choices_per_prompt = wanted_.choices;
    job_.tokens_max = wanted_.tokens_max;
    return std::move(job_);
}

}  // namespace warmlane::sim
