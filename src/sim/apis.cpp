#include "apis.hpp"

#include <algorithm>
#include <array>

namespace warmlane::sim {

const InferenceApi* find_api(std::string_view path) {
    static constexpr std::array<InferenceApi, 5> kApis = {{
        {.path = "/v1/chat/completions", .plan = plan_chat, .error = openai_error},
        {.path = "/v1/completions", .plan = plan_completions, .error = openai_error},
        {.path = "/v1/embeddings", .plan = plan_embeddings, .error = openai_error},
        {.path = "/v1/messages", .plan = plan_messages, .error = anthropic_error},
        {.path = "/v1/responses", .plan = plan_responses, .error = openai_error},
    }};
    const auto* const found = std::ranges::find(kApis, path, &InferenceApi::path);
    return found == kApis.end() ? nullptr : found;
}

}  // namespace warmlane::sim
