#include "config/scalar.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <optional>
#include <system_error>

namespace warmlane::config {
namespace {

namespace json = boost::json;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

/// The whole text as a number; absent when it is none, or when it does not fit.
template <class Number, class... Base>
std::optional<Number> parse_whole(std::string_view text, Base... base) {
    Number number{};
    const char* end = text.data() + text.size();
    const auto [rest, ec] = std::from_chars(text.data(), end, number, base...);
    return ec == std::errc{} && rest == end ? std::optional(number) : std::nullopt;
}

std::optional<json::value> parse_integer(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0o")) {
        const bool sign_follows = text.size() > 2 && text[2] == '-';
        const auto number = parse_whole<std::int64_t>(text.substr(2), text[1] == 'x' ? 16 : 8);
        return number && !sign_follows ? std::optional<json::value>(*number) : std::nullopt;
    }
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) {
            return std::nullopt;
        }
    }
    if (const auto number = parse_whole<std::int64_t>(text)) {
        return *number;
    }
    if (const auto number = parse_whole<std::uint64_t>(text)) {
        return *number;
    }
    return std::nullopt;
}

std::optional<json::value> parse_float(std::string_view text) {
    if (text.starts_with('+') && !text.starts_with("+-")) {
        text.remove_prefix(1);
    }
    // from_chars also takes `inf`, `nan` and their like, which are words here.
    const bool looks_numeric = text.find_first_not_of("0123456789+-.eE") == std::string_view::npos &&
                               text.find_first_of("0123456789") != std::string_view::npos;
    if (!looks_numeric) {
        return std::nullopt;
    }
    const auto number = parse_whole<double>(text);
    return number ? std::optional<json::value>(*number) : std::nullopt;
}

std::optional<json::value> parse_not_finite(std::string_view text) {
    if (is_one_of(text, {".nan", ".NaN", ".NAN"})) {
        return std::numeric_limits<double>::quiet_NaN();
    }
    if (is_one_of(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) {
        return std::numeric_limits<double>::infinity();
    }
    if (is_one_of(text, {"-.inf", "-.Inf", "-.INF"})) {
        return -std::numeric_limits<double>::infinity();
    }
    return std::nullopt;
}

}  // namespace

json::value parse_plain_scalar(std::string_view text) {
    if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) {
        return nullptr;
    }
    if (is_one_of(text, {"true", "True", "TRUE"})) {
        return true;
    }
    if (is_one_of(text, {"false", "False", "FALSE"})) {
        return false;
    }
    for (auto* parse : {parse_integer, parse_float, parse_not_finite}) {
        if (std::optional<json::value> number = parse(text)) {
            return *std::move(number);
        }
    }
    return json::value(text);
}

}  // namespace warmlane::config
