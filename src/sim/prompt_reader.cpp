#include "prompt_reader.hpp"

#include "tokenizer.hpp"

#include <limits>

namespace warmlane::sim {
namespace {

namespace json = boost::json;

constexpr std::size_t kPromptsMax = 2'048;

std::vector<Token> read_token_ids(RequestFields& fields, std::string_view key, const json::array& ids) {
    std::vector<Token> tokens;
    tokens.reserve(ids.size());
    for (const json::value& id : ids) {
        json::error_code ec;
        const auto number = id.to_number<std::int64_t>(ec);
        if (ec || number < 0 || number > std::numeric_limits<Token>::max()) {
            fields.fail(key, "Input should be a string, a list of strings, or lists of token ids");
            return {};
        }
        tokens.push_back(static_cast<Token>(number));
    }
    return tokens;
}

}  // namespace

std::vector<std::vector<Token>> read_prompts(RequestFields& fields, std::string_view key) {
    const json::value* const value = fields.value(key);
    if (value == nullptr) {
        fields.fail(key, "Field required");
        return {};
    }
    if (value->is_string()) {
        return {tokenize(value->get_string())};
    }
    const json::array& list = fields.list(key);
    if (list.empty() || list.front().is_number()) {
        return {read_token_ids(fields, key, list)};
    }
    if (list.size() > kPromptsMax) {
        fields.fail(key, "too many prompts");
        return {};
    }
    std::vector<std::vector<Token>> prompts;
    for (const json::value& item : list) {
        if (item.is_string()) {
            prompts.push_back(tokenize(item.get_string()));
        } else if (item.is_array()) {
            prompts.push_back(read_token_ids(fields, key, item.get_array()));
        } else {
            fields.fail(key, "Input should be a string, a list of strings, or lists of token ids");
        }
    }
    return prompts;
}

}  // namespace warmlane::sim
