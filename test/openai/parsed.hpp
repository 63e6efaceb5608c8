#pragma once

#include "warmlane/openai/parse_request.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace warmlane::openai {

/// The request of a body that must be accepted.
inline InferenceRequest parsed(Api api, std::string_view body) {
    std::variant<InferenceRequest, RequestError> result = parse_request(api, body);
    if (const auto* error = std::get_if<RequestError>(&result)) {
        FAIL(error->message);
    }
    return std::get<InferenceRequest>(std::move(result));
}

/// The error of a body that must be refused.
inline RequestError refused(Api api, std::string_view body) {
    std::variant<InferenceRequest, RequestError> result = parse_request(api, body);
    if (result.index() == 0) {
        FAIL("accepted: ", body);
    }
    return std::get<RequestError>(std::move(result));
}

inline std::string joined(const Prompt& prompt) {
    std::string bytes;
    for (const std::string_view run : prompt.runs) {
        bytes += run;
    }
    CHECK(bytes.size() == prompt.bytes);
    return bytes;
}

/// The bytes of each prompt of a body.
inline std::vector<std::string> prompts_of(Api api, std::string_view body) {
    const InferenceRequest request = parsed(api, body);
    std::vector<std::string> prompts;
    prompts.reserve(request.prompts.size());
    for (const Prompt& prompt : request.prompts) {
        prompts.push_back(joined(prompt));
    }
    return prompts;
}

}  // namespace warmlane::openai
