#include "warmlane/core/json_reader.hpp"

#include "warmlane/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace warmlane {
namespace {

namespace json = boost::json;

const char* kind_of(const json::value& value) {
    switch (value.kind()) {
        case json::kind::null: return "null";
        case json::kind::bool_: return "a boolean";
        case json::kind::int64:
        case json::kind::uint64:
        case json::kind::double_: return "a number";
        case json::kind::string: return "a string";
        case json::kind::array: return "a list";
        case json::kind::object: return "an object";
    }
    return "something else";
}

std::string mismatch(std::string_view expected, const json::value& value) {
    return fmt::format("expected {}, got {}", expected, kind_of(value));
}

template <class Number>
std::string out_of_range(Number min, Number max) {
    using Limits = std::numeric_limits<Number>;
    if (max == Limits::max()) {
        return fmt::format("must be at least {}", min);
    }
    if (min == Limits::lowest()) {
        return fmt::format("must be at most {}", max);
    }
    return fmt::format("must be between {} and {}", min, max);
}

/// An integer, or a floating-point number that stands for one exactly, like 2.0.
std::optional<std::int64_t> exact_integer(const json::value& value) {
    if (const std::int64_t* number = value.if_int64()) {
        return *number;
    }
    constexpr double kLimit = 9223372036854775808.0;  // 2^63, the first double beyond
    const double* number = value.if_double();
    if (number != nullptr && *number >= -kLimit && *number < kLimit && std::trunc(*number) == *number) {
        return static_cast<std::int64_t>(*number);
    }
    return std::nullopt;
}

}  // namespace

JsonReader::JsonReader(const json::value& value, std::string path, std::vector<ReadError>& errors)
    : object_(value.if_object()), path_(std::move(path)), errors_(errors) {
    if (object_ == nullptr && !value.is_null()) {
        fail("", mismatch("an object", value));
    }
}

std::string JsonReader::path_of(std::string_view key) const {
    if (key.empty()) {
        return path_;
    }
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

void JsonReader::fail(std::string_view key, std::string message) {
    errors_.push_back({path_of(key), std::move(message)});
}

bool JsonReader::has(std::string_view key) const {
    const json::value* value = object_ == nullptr ? nullptr : object_->if_contains(key);
    return value != nullptr && !value->is_null();
}

const json::value* JsonReader::find(std::string_view key) {
    known_.emplace(key);
    return has(key) ? object_->if_contains(key) : nullptr;
}

const json::value* JsonReader::take(std::string_view key) {
    return find(key);
}

const json::array* JsonReader::take_array(std::string_view key) {
    const json::value* value = find(key);
    if (value == nullptr) {
        return nullptr;
    }
    if (!value->is_array()) {
        fail(key, mismatch("a list", *value));
    }
    return value->if_array();
}

void JsonReader::read(std::string_view key, bool& out) {
    const json::value* value = find(key);
    if (value == nullptr) {
        return;
    }
    if (const bool* flag = value->if_bool()) {
        out = *flag;
    } else {
        fail(key, mismatch("true or false", *value));
    }
}

void JsonReader::read(std::string_view key, std::string& out) {
    const json::value* value = find(key);
    if (value == nullptr) {
        return;
    }
    if (const json::string* text = value->if_string()) {
        out.assign(text->begin(), text->end());
    } else {
        fail(key, mismatch("a string", *value));
    }
}

void JsonReader::read(std::string_view key, std::vector<std::string>& out) {
    const json::array* items = take_array(key);
    if (items == nullptr) {
        return;
    }
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < items->size(); ++i) {
        if (const json::string* text = (*items)[i].if_string()) {
            texts.emplace_back(text->begin(), text->end());
        } else {
            fail(fmt::format("{}[{}]", key, i), mismatch("a string", (*items)[i]));
        }
    }
    if (texts.size() == items->size()) {
        out = std::move(texts);
    }
}

void JsonReader::read(std::string_view key, double& out, double min, double max) {
    const json::value* value = find(key);
    if (value == nullptr) {
        return;
    }
    error_code ec;
    const double number = value->to_number<double>(ec);
    if (ec || !std::isfinite(number)) {
        fail(key, value->is_double() ? "expected a finite number" : mismatch("a number", *value));
    } else if (number < min || number > max) {
        fail(key, out_of_range(min, max));
    } else {
        out = number;
    }
}

void JsonReader::read(std::string_view key, std::int64_t& out, std::int64_t min, std::int64_t max) {
    const json::value* value = find(key);
    if (value == nullptr) {
        return;
    }
    const std::optional<std::int64_t> number = exact_integer(*value);
    if (number && *number >= min && *number <= max) {
        out = *number;
    } else if (number || value->is_uint64()) {
        fail(key, out_of_range(min, max));
    } else if (value->is_double()) {
        fail(key, fmt::format("expected an integer, got {}", value->get_double()));
    } else {
        fail(key, mismatch("an integer", *value));
    }
}

void JsonReader::read(std::string_view key, std::uint32_t& out, std::uint32_t min, std::uint32_t max) {
    std::int64_t wide = out;
    read(key, wide, std::int64_t{min}, std::int64_t{max});
    out = static_cast<std::uint32_t>(wide);
}

void JsonReader::read(std::string_view key, std::chrono::milliseconds& out) {
    const json::value* value = find(key);
    if (value == nullptr) {
        return;
    }
    const json::string* text = value->if_string();
    if (text == nullptr) {
        fail(key, mismatch("a duration like 200ms, 30s, 5m or 1h", *value));
    } else if (const auto duration = parse_duration(*text)) {
        out = *duration;
    } else {
        fail(key, fmt::format("expected a duration like 200ms, 30s, 5m or 1h, got {}", quoted(*text)));
    }
}

void JsonReader::read_size(std::string_view key, std::size_t& out, std::size_t min) {
    const json::value* value = find(key);
    if (value == nullptr) {
        return;
    }
    std::optional<std::size_t> size;
    if (const json::string* text = value->if_string()) {
        size = parse_size(*text);
        if (!size) {
            fail(key, fmt::format("expected a size like 4096, 64KiB or 64MiB, got {}", quoted(*text)));
        }
    } else if (const auto number = exact_integer(*value); number && *number >= 0) {
        size = static_cast<std::size_t>(*number);
    } else {
        fail(
            key,
            value->is_number() ? "must be a whole number of bytes, 0 or more"
                               : mismatch("a size like 4096, 64KiB or 64MiB", *value)
        );
    }
    if (size && *size < min) {
        fail(key, fmt::format("must be at least {} bytes", min));
    } else if (size) {
        out = *size;
    }
}

void JsonReader::read_choice(
    std::string_view key, std::string& out, std::initializer_list<std::string_view> choices
) {
    std::string word;
    const std::size_t errors_before = errors_.size();
    read(key, word);
    if (!has(key) || errors_.size() != errors_before) {
        return;
    }
    if (std::find(choices.begin(), choices.end(), word) != choices.end()) {
        out = std::move(word);
        return;
    }
    const std::string hint = did_you_mean(word, {choices.begin(), choices.end()});
    fail(key, fmt::format("expected one of {}, got {}{}", fmt::join(choices, ", "), quoted(word), hint));
}

void JsonReader::finish() {
    if (object_ == nullptr) {
        return;
    }
    const std::vector<std::string> known(known_.begin(), known_.end());
    for (const json::key_value_pair& entry : *object_) {
        const std::string_view key = entry.key();
        if (!known_.contains(key)) {
            fail(key, fmt::format("unknown key {}{}", quoted(key), did_you_mean(key, known)));
        }
    }
}

}  // namespace warmlane
