#include "config/expand.hpp"

#include "warmlane/core/json_reader.hpp"

#include <fmt/format.h>

namespace warmlane::config {
namespace {

bool is_name(std::string_view text) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    constexpr std::string_view kDigits = "0123456789";
    return !text.empty() && kDigits.find(text.front()) == std::string_view::npos &&
           text.find_first_not_of(std::string(kLetters) + std::string(kDigits)) == std::string_view::npos;
}

}  // namespace

std::string expand(
    std::string_view text, const Environment& environment, std::vector<std::string>& problems
) {
    std::string result;
    while (true) {
        const std::size_t dollar = text.find('$');
        result += text.substr(0, dollar);
        if (dollar == std::string_view::npos) {
            return result;
        }
        text.remove_prefix(dollar + 1);
        if (text.starts_with('$')) {
            result += '$';
            text.remove_prefix(1);
            continue;
        }
        if (!text.starts_with('{')) {
            result += '$';
            continue;
        }
        const std::size_t end = text.find('}');
        const std::string_view name = text.substr(1, end == std::string_view::npos ? end : end - 1);
        if (end == std::string_view::npos || !is_name(name)) {
            problems.push_back(fmt::format(
                "{} is no reference to a variable: write ${{NAME}}, or $$ for a dollar sign", quoted(text)
            ));
            return result;
        }
        const auto variable = environment.find(name);
        if (variable == environment.end()) {
            problems.push_back(fmt::format("the environment variable {} is not set", quoted(name)));
        } else {
            result += variable->second;
        }
        text.remove_prefix(end + 1);
    }
}

std::string unexpanded(std::string_view text) {
    std::string result;
    for (const char c : text) {
        result.append(c == '$' ? 2 : 1, c);
    }
    return result;
}

}  // namespace warmlane::config
