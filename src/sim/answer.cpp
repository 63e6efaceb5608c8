#include "answer.hpp"

#include "schema_value.hpp"
#include "tokenizer.hpp"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace warmlane::sim {
namespace {

/// At most six letters, so that each is one token with the space before it.
constexpr std::array<std::string_view, 48> kWords = {
    "the",   "a",      "warm",  "lane",   "runs",   "along", "river", "and",   "quiet", "fields",
    "under", "light",  "of",    "early",  "winter", "while", "small", "boats", "carry", "bread",
    "to",    "town",   "where", "people", "wait",   "for",   "news",  "from",  "north", "it",
    "is",    "said",   "that",  "each",   "road",   "leads", "home",  "if",    "you",   "walk",
    "long",  "enough", "by",    "day",    "or",     "night", "in",    "peace",
};
constexpr std::uint32_t kSentenceTokens = 12;

void append_words(Answer& answer, std::uint32_t count, std::uint64_t seed) {
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i % kSentenceTokens == kSentenceTokens - 1) {
            answer.pieces.emplace_back(".");
        } else {
            std::string& piece = answer.pieces.emplace_back(i == 0 ? "" : " ");
            piece += kWords[mix_seed(seed, i) % kWords.size()];
        }
        answer.tokens.push_back(token_of(answer.pieces.back()));
    }
}

/// The tokens are those of the model's own notation, the pieces show of it only the arguments.
void append_call(Answer& answer, const ToolCall& call) {
    const std::string markup = render_tool_call(call);
    const std::size_t arguments_begin = markup.rfind(call.arguments);
    const std::size_t arguments_end = arguments_begin + call.arguments.size();
    std::size_t begin = 0;
    for (const std::string_view token : split_tokens(markup)) {
        const std::size_t end = begin + token.size();
        const std::size_t shown_begin = std::max(begin, arguments_begin);
        const std::size_t shown_end = std::min(end, arguments_end);
        answer.tokens.push_back(token_of(token));
        answer.pieces.push_back(
            shown_begin < shown_end ? markup.substr(shown_begin, shown_end - shown_begin) : std::string()
        );
        begin = end;
    }
    answer.tool_call = call;
}

ToolCall plan_call(const boost::json::object& function, std::uint64_t seed) {
    ToolCall call;
    if (const boost::json::value* name = function.if_contains("name"); name != nullptr && name->is_string()) {
        call.name = name->get_string();
    }
    const boost::json::value* schema = function.if_contains("parameters");
    if (schema == nullptr) {
        schema = function.if_contains("input_schema");
    }
    const boost::json::value arguments =
        schema != nullptr && schema->is_object() ? value_of_schema(*schema, seed) : boost::json::object();
    call.arguments = boost::json::serialize(arguments);
    return call;
}

/// A model that may stop does so somewhere in the second half of the default length.
std::uint32_t own_length(const AnswerRequest& request, std::uint64_t seed) {
    const std::uint32_t longest = std::max(request.default_tokens, 2U);
    return request.ignore_eos ? longest : longest / 2 + static_cast<std::uint32_t>(seed % (longest / 2));
}

}  // namespace

std::uint64_t mix_seed(std::uint64_t seed, std::uint64_t value) {
    return XXH3_64bits_withSeed(&value, sizeof(value), seed);
}

std::string Answer::text() const {
    std::string joined;
    for (const std::string& piece : pieces) {
        joined += piece;
    }
    return joined;
}

std::string Answer::transcript() const {
    return tool_call ? render_tool_call(*tool_call) : text();
}

Answer plan_answer(const AnswerRequest& request) {
    const std::uint64_t seed =
        XXH3_64bits_withSeed(request.prompt.data(), request.prompt.size_bytes(), request.seed);
    Answer answer;
    if (request.function != nullptr) {
        append_call(answer, plan_call(*request.function, seed));
        answer.stop_reason = StopReason::tool_calls;
    } else {
        const std::uint32_t wanted = request.tokens_max.value_or(own_length(request, seed));
        append_words(answer, std::min(wanted, request.room), seed);
        const bool cut = request.tokens_max || request.ignore_eos || wanted > request.room;
        answer.stop_reason = cut ? StopReason::length : StopReason::stop;
    }
    const std::uint32_t longest = std::min(request.room, request.tokens_max.value_or(request.room));
    if (answer.tokens.size() > longest) {
        answer.tokens.resize(longest);
        answer.pieces.resize(longest);
        answer.stop_reason = StopReason::length;
    }
    return answer;
}

}  // namespace warmlane::sim
