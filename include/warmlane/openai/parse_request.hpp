#pragma once

#include "warmlane/core/inference_request.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace warmlane::openai {

/// Why a body was refused; becomes a 400 in OpenAI's shape.
struct RequestError {
    /// A sentence for the client; holds nothing of the prompt.
    std::string message;
    /// The field at fault, like `messages`; empty when the JSON itself is broken.
    std::string param;
    /// Byte of the body at which it went wrong.
    std::size_t offset = 0;
};

struct ParseLimits {
    /// Nesting of arrays and objects.
    std::size_t depth = 128;
    /// Length of `model` in bytes.
    std::size_t model_bytes = 512;
};

/// What kind of call a request is: by method and by path (without query string).
Api api_of(std::string_view method, std::string_view path);

/// Reads what routing needs out of a request body in one pass: model, stream, cache_salt, and the prompt in
/// the order in which the engine renders it (tools, then per message role, content parts, reasoning, tool
/// calls, tool call ids), with framing that no text can imitate.
///
/// @param body  outlives the result, whose prompts are views into it.
/// The whole body is checked to be one JSON value in UTF-8. Duplicates of a key that routing reads are
/// refused; unknown keys pass. For `Api::other` nothing is read and nothing can fail. Pure; any thread.
std::variant<InferenceRequest, RequestError> parse_request(
    Api api, std::string_view body, const ParseLimits& limits = {}
);

}  // namespace warmlane::openai
