// Whatever a body holds: what is read lies in the body or in the request, an error lies in the body, and
// reading it again gives the same.

#include "fuzz/fuzz_input.hpp"

#include "warmlane/openai/parse_request.hpp"

#include <string>
#include <variant>

namespace {

using warmlane::Api;
using warmlane::InferenceRequest;
using warmlane::Prompt;
using warmlane::fuzz::require;
using warmlane::openai::ParseLimits;
using warmlane::openai::RequestError;

bool lies_in(std::string_view run, std::string_view bytes) {
    return run.data() >= bytes.data() && run.data() + run.size() <= bytes.data() + bytes.size();
}

std::string joined(const InferenceRequest& request, std::string_view body) {
    std::string all = request.model + '\n' + request.cache_salt;
    for (const Prompt& prompt : request.prompts) {
        std::size_t bytes = 0;
        for (const std::string_view run : prompt.runs) {
            bool found = lies_in(run, body);
            for (const std::string& chunk : request.scratch) {
                found = found || lies_in(run, chunk);
            }
            require(found && !run.empty());
            bytes += run.size();
            all += run;
        }
        require(bytes == prompt.bytes);
        all += '\n';
    }
    return all;
}

void check(Api api, std::string_view body) {
    const ParseLimits limits;
    const auto first = warmlane::openai::parse_request(api, body, limits);
    const auto second = warmlane::openai::parse_request(api, body, limits);
    require(first.index() == second.index());
    if (const auto* error = std::get_if<RequestError>(&first)) {
        require(error->offset <= body.size());
        require(!error->message.empty());
        require(error->message == std::get<RequestError>(second).message);
        return;
    }
    const auto& request = std::get<InferenceRequest>(first);
    require(request.model.size() <= limits.model_bytes);
    require(joined(request, body) == joined(std::get<InferenceRequest>(second), body));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr Api kApis[] = {
        Api::chat_completions,
        Api::completions,
        Api::embeddings,
        Api::responses,
        Api::messages,
        Api::rerank,
        Api::score
    };
    const std::string body(reinterpret_cast<const char*>(data), size);
    for (const Api api : kApis) {
        check(api, body);
    }
    return 0;
}
