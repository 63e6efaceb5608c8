#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::http {

/// One header field; views into the bytes that the head was parsed from.
struct Field {
    std::string_view name;
    std::string_view value;
};

/// One header field that owns its text.
struct OwnedField {
    std::string name;
    std::string value;
};

enum class BodyKind : std::uint8_t {
    /// No body follows the head.
    none,
    /// `BodyFraming::length` bytes follow.
    length,
    /// Chunks follow.
    chunked,
    /// Everything until the peer closes; answers only.
    until_close,
};

/// How a message says where its body ends.
struct BodyFraming {
    BodyKind kind = BodyKind::none;
    std::uint64_t length = 0;

    bool operator==(const BodyFraming&) const = default;
};

/// The first field of that name, compared without case; nullptr when there is none.
const Field* find_field(const std::vector<Field>& fields, std::string_view name);

/// Equal but for ASCII case.
inline bool equals_ignoring_case(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) {
        return false;
    }
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; };
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (lower(a[i]) != lower(b[i])) {
            return false;
        }
    }
    return true;
}

/// A request head that passed every rule.
struct RequestHead {
    std::string_view method;
    /// As it came, in origin-form: of an absolute-form target only path and query are kept.
    std::string_view target;
    unsigned minor_version = 1;
    std::vector<Field> fields;
    BodyFraming body;
    /// The client is willing to send another request on the connection.
    bool keep_alive = true;
    bool expects_continue = false;

    /// The target without its query string.
    std::string_view path() const { return target.substr(0, target.find('?')); }
    /// Empty when the field is absent.
    std::string_view value_of(std::string_view name) const;
};

/// A final response head that passed every rule.
struct ResponseHead {
    unsigned status = 0;
    std::string_view reason;
    unsigned minor_version = 1;
    std::vector<Field> fields;
    BodyFraming body;
    /// The endpoint is willing to take another request on the connection.
    bool keep_alive = true;

    std::string_view value_of(std::string_view name) const;
};

}  // namespace warmlane::http
