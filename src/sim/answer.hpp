#pragma once

#include "chat_template.hpp"

#include "warmlane/sim/simulated_engine.hpp"

#include <boost/json/object.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warmlane::sim {

enum class StopReason : std::uint8_t { stop, length, tool_calls };

/// What the simulated model is going to say, fixed before it says it.
struct Answer {
    /// As the engine computes it, one entry per token.
    std::vector<Token> tokens;
    /// What the client sees of each token; joined, the text or the arguments of the tool call. Empty for
    /// tokens that are framing.
    std::vector<std::string> pieces;
    std::optional<ToolCall> tool_call;
    StopReason stop_reason = StopReason::stop;

    /// The pieces, joined.
    std::string text() const;
    /// What a later prompt holds of it, before the end of the message.
    std::string transcript() const;
};

struct AnswerRequest {
    std::span<const Token> prompt;
    /// Absent: the model stops by itself, before the default length.
    std::optional<std::uint32_t> tokens_max;
    /// Length when nothing is asked for.
    std::uint32_t default_tokens = 64;
    /// Most tokens that the context leaves.
    std::uint32_t room = 0;
    bool ignore_eos = false;
    /// Engine's seed, request's seed and index of the choice, mixed.
    std::uint64_t seed = 0;
    /// The function to call; absent for a text.
    const boost::json::object* function = nullptr;
};

/// Decides what is said: short words, or a call of a function with arguments that fit its JSON schema. Equal
/// requests get equal answers.
Answer plan_answer(const AnswerRequest& request);

/// Mixes values into a seed.
std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t value);

}  // namespace warmlane::sim
