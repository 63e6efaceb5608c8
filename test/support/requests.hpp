#pragma once

#include "warmlane/core/inference_request.hpp"

#include <string>
#include <utility>

namespace warmlane::test {

/// Adds a prompt whose bytes the request owns.
inline void add_prompt(InferenceRequest& request, std::string bytes) {
    request.scratch.push_back(std::move(bytes));
    Prompt prompt;
    prompt.append(request.scratch.back());
    request.prompts.push_back(std::move(prompt));
}

/// A completions request of one prompt.
inline InferenceRequest make_request(std::string prompt, std::string model = "m", std::string salt = "") {
    InferenceRequest request;
    request.api = Api::completions;
    request.model = std::move(model);
    request.cache_salt = std::move(salt);
    add_prompt(request, std::move(prompt));
    return request;
}

}  // namespace warmlane::test
