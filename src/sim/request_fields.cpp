#include "request_fields.hpp"

#include <fmt/format.h>

#include <utility>

namespace warmlane::sim {

namespace json = boost::json;

const json::value* RequestFields::value(std::string_view key) const {
    const json::value* found = body_.if_contains(key);
    return found != nullptr && found->is_null() ? nullptr : found;
}

std::string RequestFields::text(std::string_view key) {
    const json::value* found = value(key);
    if (found == nullptr) {
        return {};
    }
    if (!found->is_string()) {
        fail(key, "Input should be a valid string");
        return {};
    }
    return std::string(found->get_string());
}

bool RequestFields::flag(std::string_view key) {
    const json::value* found = value(key);
    if (found != nullptr && !found->is_bool()) {
        fail(key, "Input should be a valid boolean");
        return false;
    }
    return found != nullptr && found->get_bool();
}

std::optional<std::int64_t> RequestFields::integer(std::string_view key) {
    const json::value* found = value(key);
    if (found == nullptr) {
        return std::nullopt;
    }
    json::error_code ec;
    const auto number = found->to_number<std::int64_t>(ec);
    if (ec) {
        fail(key, "Input should be a valid integer");
        return std::nullopt;
    }
    return number;
}

std::optional<std::uint32_t> RequestFields::count(
    std::string_view key, std::uint32_t min, std::uint32_t max
) {
    const std::optional<std::int64_t> number = integer(key);
    if (number && (*number < std::int64_t{min} || *number > std::int64_t{max})) {
        fail(key, fmt::format("Input should be between {} and {}", min, max));
        return std::nullopt;
    }
    return number ? std::optional(static_cast<std::uint32_t>(*number)) : std::nullopt;
}

const json::array& RequestFields::list(std::string_view key) {
    static const json::array none;
    const json::value* found = value(key);
    if (found != nullptr && !found->is_array()) {
        fail(key, "Input should be a valid list");
    }
    return found != nullptr && found->is_array() ? found->get_array() : none;
}

const json::object& RequestFields::object(std::string_view key) {
    static const json::object none;
    const json::value* found = value(key);
    if (found != nullptr && !found->is_object()) {
        fail(key, "Input should be a valid dictionary");
    }
    return found != nullptr && found->is_object() ? found->get_object() : none;
}

void RequestFields::fail(ApiError error) {
    if (!error_) {
        error_ = std::move(error);
    }
}

void RequestFields::fail(std::string_view param, std::string_view message) {
    fail(
        ApiError{.status = 400, .message = fmt::format("{}: {}", param, message), .param = std::string(param)}
    );
}

std::string_view text_of(const json::object& object, std::string_view key) {
    const json::value* found = object.if_contains(key);
    return found != nullptr && found->is_string() ? std::string_view(found->get_string())
                                                  : std::string_view();
}

}  // namespace warmlane::sim
