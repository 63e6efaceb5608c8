#pragma once

#include "answer.hpp"

#include "warmlane/sim/simulated_engine.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace warmlane::sim {

/// Token counts of a whole request, summed over its choices.
struct TokenUsage {
    std::uint64_t prompt_tokens = 0;
    std::uint64_t cached_tokens = 0;
    std::uint64_t output_tokens = 0;
};

/// An error in vLLM's shape.
struct ApiError {
    unsigned status = 400;
    std::string message{};
    /// The field at fault; empty becomes `null`.
    std::string param{};
};

/// `{"error":{"message","type","param","code"}}` with the type that vLLM gives the status.
std::string openai_error(const ApiError& error);
/// `{"type":"error","error":{"type","message"}}`.
std::string anthropic_error(const ApiError& error);

/// Writes the answer of one request in the form of its API. The order of calls is begin, (token |
/// end_choice)*, end; or whole alone. No I/O.
class AnswerFormat {
public:
    /// Server-sent events, each of them complete, in order.
    using Events = std::vector<std::string>;

    AnswerFormat() = default;
    virtual ~AnswerFormat() = default;
    AnswerFormat(const AnswerFormat&) = delete;
    AnswerFormat& operator=(const AnswerFormat&) = delete;

    /// Before the first token of any choice; prompt and cached tokens are known.
    virtual void begin(const TokenUsage& usage, Events& out) = 0;
    /// The next token of a choice.
    virtual void token(std::size_t choice, std::size_t index, Events& out) = 0;
    /// After the last token of a choice.
    virtual void end_choice(std::size_t choice, Events& out) = 0;
    /// After the last choice.
    virtual void end(const TokenUsage& usage, Events& out) = 0;

    /// The whole answer as JSON.
    virtual std::string whole(const TokenUsage& usage) = 0;
    /// The event that tells of an error after the beginning.
    virtual std::string error_event(const ApiError& error) const = 0;
};

/// What a request asks of the engine, and how its answer is written.
struct Job {
    /// One per choice; each request's output are the tokens of the answer at the same index.
    std::vector<EngineRequest> requests;
    std::unique_ptr<AnswerFormat> format;
    bool stream = false;
    /// Requests that share one prompt, side by side in `requests`; the prompt counts once.
    std::size_t choices_per_prompt = 1;
    /// For metrics.
    std::vector<StopReason> stop_reasons;
    std::optional<std::uint32_t> tokens_max;
};

using PlannedJob = std::variant<Job, ApiError>;

}  // namespace warmlane::sim
