#include "warmlane/http/path.hpp"

#include "http/chars.hpp"

#include <algorithm>
#include <cstddef>

namespace warmlane::http {

namespace {

int hex_value(char c) {
    return is(digit_char, c) ? c - '0' : (c | 0x20) - 'a' + 10;
}

/// `%XX` becomes the byte; a `%` that begins no escape stays.
void append_decoded(std::string& out, std::string_view path) {
    for (std::size_t i = 0; i < path.size(); ++i) {
        const bool escape =
            path[i] == '%' && i + 2 < path.size() && is(hex_char, path[i + 1]) && is(hex_char, path[i + 2]);
        if (!escape) {
            out += path[i];
            continue;
        }
        out += static_cast<char>(hex_value(path[i + 1]) * 16 + hex_value(path[i + 2]));
        i += 2;
    }
}

bool is_plain(std::string_view path) {
    bool after_slash = false;
    for (char c : path) {
        if (c == '%' || c == '\\' || is_control(c) || (after_slash && (c == '.' || c == '/'))) {
            return false;
        }
        after_slash = c == '/';
    }
    return true;
}

}  // namespace

std::optional<std::string_view> normal_path(std::string_view path, std::string& storage) {
    if (is_plain(path)) {
        return path;
    }
    std::string decoded;
    append_decoded(decoded, path);
    if (std::ranges::any_of(decoded, [](char c) { return c == '\\' || is_control(c); })) {
        return std::nullopt;
    }
    storage.clear();
    std::string_view rest = decoded;
    while (!rest.empty()) {
        rest.remove_prefix(rest.front() == '/' ? 1 : 0);
        const std::string_view segment = rest.substr(0, rest.find('/'));
        if (segment == "..") {
            return std::nullopt;
        }
        if (!segment.empty() && segment != ".") {
            storage += '/';
            storage += segment;
        }
        rest.remove_prefix(segment.size());
    }
    if (storage.empty() || decoded.back() == '/') {
        storage += '/';
    }
    return storage;
}

}  // namespace warmlane::http
