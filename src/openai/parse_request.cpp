#include "warmlane/openai/parse_request.hpp"

#include "openai/body_reader.hpp"
#include "openai/request_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace warmlane::openai {
namespace {

struct Path {
    std::string_view path;
    Api api;
};

constexpr Path kPaths[] = {
    {"/v1/chat/completions", Api::chat_completions},
    {"/v1/completions", Api::completions},
    {"/v1/embeddings", Api::embeddings},
    {"/v1/responses", Api::responses},
    {"/v1/messages", Api::messages},
    {"/v1/rerank", Api::rerank},
    {"/v2/rerank", Api::rerank},
    {"/rerank", Api::rerank},
    {"/v1/score", Api::score},
    {"/score", Api::score},
};

RequestError broken(const JsonScanner& json) {
    return {
        .message = fmt::format("Invalid JSON at byte {}: {}.", json.offset(), json.reason()),
        .param = {},
        .offset = json.offset(),
    };
}

}  // namespace

Api api_of(std::string_view method, std::string_view path) {
    if (method != "POST") {
        return Api::other;
    }
    const auto* const known = std::ranges::find(kPaths, path, &Path::path);
    return known == std::end(kPaths) ? Api::other : known->api;
}

std::variant<InferenceRequest, RequestError> parse_request(
    Api api, std::string_view body, const ParseLimits& limits
) {
    InferenceRequest request;
    request.api = api;
    if (api == Api::other) {
        return request;
    }
    BodyReader reader(body, limits.depth, request.scratch);
    RequestReader fields(reader, limits, request);
    if (fields.read()) {
        return request;
    }
    return reader.error ? *std::move(reader.error) : broken(reader.json);
}

}  // namespace warmlane::openai
