#pragma once

#include "job.hpp"
#include "request_fields.hpp"
#include "response_store.hpp"

#include "warmlane/sim/sim_server.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warmlane::sim {

/// What planning a job needs besides the body.
struct ApiContext {
    const SimServerOptions& options;
    /// Most tokens of prompt and answer together.
    std::uint32_t request_tokens_max = 0;
    /// Without the prefix that each API puts before it.
    std::string request_id;
    /// Unix time in seconds.
    std::int64_t created = 0;
    ResponseStore& responses;
};

/// The fields that the APIs have in common.
struct GenerationFields {
    std::string model;
    std::string cache_scope;
    std::optional<std::uint32_t> tokens_max;
    std::uint32_t choices = 1;
    std::uint64_t seed = 0;
    bool ignore_eos = false;
    bool stream = false;
    bool include_usage = false;
};

/// Reads them; `limit_keys` name the answer's length, the first one present counts.
GenerationFields read_generation_fields(
    RequestFields& fields, const ApiContext& context, std::initializer_list<std::string_view> limit_keys
);

/// Turns prompts into engine requests with their answers.
class JobBuilder {
public:
    /// All of them outlive the builder.
    JobBuilder(RequestFields& fields, const ApiContext& context, const GenerationFields& wanted)
        : fields_(fields), context_(context), wanted_(wanted) {}

    /// Adds one prompt with as many choices as are asked for; a prompt that is too long becomes the request's
    /// error.
    ///
    /// @param function  the function to call; nullptr for a text.
    void add_prompt(std::vector<Token> prompt, const boost::json::object* function);

    std::vector<Answer> take_answers() { return std::move(answers_); }
    /// The job, or the request's first error.
    PlannedJob finish(std::unique_ptr<AnswerFormat> format);

private:
    RequestFields& fields_;
    const ApiContext& context_;
    const GenerationFields& wanted_;
    Job job_;
    std::vector<Answer> answers_;
};

}  // namespace warmlane::sim
