#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace warmlane::http {

/// Classes of bytes, as bits of `kCharClasses`.
enum CharClass : std::uint8_t {
    /// RFC 9110, 5.6.2: names of methods and fields.
    token_char = 1,
    /// RFC 3986 without `#`; square brackets are let through because clients send them unescaped in queries.
    target_char = 2,
    /// Of a name or an IPv4 address; stricter than RFC 3986, which has commas and percent-escapes too.
    host_char = 4,
    digit_char = 8,
    hex_char = 16,
};

constexpr std::array<std::uint8_t, 256> make_char_classes() {
    std::array<std::uint8_t, 256> classes{};
    const auto mark = [&classes](std::string_view chars, int bits) {
        for (char c : chars) {
            auto& entry = classes[static_cast<unsigned char>(c)];
            entry = static_cast<std::uint8_t>(entry | bits);
        }
    };
    mark("0123456789", token_char | target_char | host_char | digit_char | hex_char);
    mark("abcdefABCDEF", token_char | target_char | host_char | hex_char);
    mark("ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ", token_char | target_char | host_char);
    mark("!#$%&'*+-.^_`|~", token_char);
    mark("-._~!$&'()*+,;=:@/?%[]", target_char);
    mark("-._~", host_char);
    return classes;
}

inline constexpr std::array<std::uint8_t, 256> kCharClasses = make_char_classes();

constexpr bool is(CharClass char_class, char c) {
    return (kCharClasses[static_cast<unsigned char>(c)] & char_class) != 0;
}

/// Position of the first byte at or after `from` that is not of the class; the size when there is none.
constexpr std::size_t skip(CharClass char_class, std::string_view bytes, std::size_t from = 0) {
    while (from < bytes.size() && is(char_class, bytes[from])) {
        ++from;
    }
    return from;
}

/// Every byte is of the class; true for no bytes at all.
constexpr bool all(CharClass char_class, std::string_view bytes) {
    return skip(char_class, bytes) == bytes.size();
}

constexpr bool is_control(char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

constexpr bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/// Position of the first control character at or after `from`; the size when there is none. Looks at eight
/// bytes at a time: a byte of `x - n` or of `x ^ n - 1` has its top bit set and that of `x` not where `x < n`
/// or `x == n`. What is borrowed from a higher byte can only show above the first hit.
inline std::size_t find_control(std::string_view bytes, std::size_t from) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    for (; from + 8 <= bytes.size(); from += 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + from, 8);
        if constexpr (std::endian::native == std::endian::big) {
            word = __builtin_bswap64(word);
        }
        const std::uint64_t del = word ^ (kOnes * 0x7f);
        const std::uint64_t below = (word - kOnes * 0x20) & ~word;
        const std::uint64_t hits = (below | ((del - kOnes) & ~del)) & (kOnes * 0x80);
        if (hits != 0) {
            return from + static_cast<std::size_t>(std::countr_zero(hits)) / 8;
        }
    }
    while (from < bytes.size() && !is_control(bytes[from])) {
        ++from;
    }
    return from;
}

/// A control character other than tab is in it.
inline bool has_control(std::string_view bytes) {
    std::size_t at = find_control(bytes, 0);
    while (at < bytes.size() && bytes[at] == '\t') {
        at = find_control(bytes, at + 1);
    }
    return at < bytes.size();
}

/// Without spaces and tabs at both ends.
constexpr std::string_view trim(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

/// Calls `visit` with each element of a comma-separated field value, trimmed; empty ones are skipped.
template <class Visit>
void for_each_element(std::string_view list, Visit visit) {
    while (!list.empty()) {
        const std::size_t comma = list.find(',');
        const std::string_view element = trim(list.substr(0, comma));
        if (!element.empty()) {
            visit(element);
        }
        list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    }
}

}  // namespace warmlane::http
