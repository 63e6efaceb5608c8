// How `JsonScanner` reads strings: nearly all bytes of a request body stand in one.

#include "openai/json_scanner.hpp"
#include "openai/json_text.hpp"

#include <array>
#include <cstring>

namespace warmlane::openai {
namespace {

/// Room for what `resolve_hard` writes in one go.
constexpr std::size_t kHardBytes = 64;

constexpr const char* kBadByte = "a string holds a control character";
constexpr const char* kBadUtf8 = "a string is not UTF-8";

constexpr std::uint32_t kNoHex = 0x10000;

constexpr std::array<std::uint32_t, 256> make_hex_values() {
    std::array<std::uint32_t, 256> values{};
    values.fill(kNoHex);
    for (std::uint32_t digit = 0; digit < 10; ++digit) {
        values['0' + digit] = digit;
    }
    for (std::uint32_t digit = 10; digit < 16; ++digit) {
        values['a' + digit - 10] = digit;
        values['A' + digit - 10] = digit;
    }
    return values;
}

constexpr std::array<std::uint32_t, 256> kHexValues = make_hex_values();

bool is_high_surrogate(std::uint32_t unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low_surrogate(std::uint32_t unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

/// Passes over what is neither plain nor an escape of one character. False at the closing quote, which is
/// consumed, and after an error.
bool JsonScanner::skip_hard() {
    const char c = peek();
    if (c == '"') {
        ++at_;
        return false;
    }
    if (c == '\\') {
        std::uint32_t unit = 0;
        return read_hex(unit);
    }
    const char* const after = skip_characters(at_, end_);
    if (after == at_) {
        return fail(static_cast<unsigned char>(c) < 0x20 ? kBadByte : kBadUtf8);
    }
    at_ = after;
    return true;
}

void JsonScanner::skip_string() {
    ++at_;
    do {
        at_ = skip_simple(at_, end_);
    } while (skip_hard());
}

/// Consumes `\uXXXX`.
bool JsonScanner::read_hex(std::uint32_t& unit) {
    constexpr std::ptrdiff_t kSize = 6;
    if (end_ - at_ < 2 || at_[1] != 'u') {
        return fail("a backslash starts no escape");
    }
    const auto digit = [this](std::ptrdiff_t i) { return kHexValues[static_cast<unsigned char>(at_[i])]; };
    unit = end_ - at_ < kSize ? kNoHex : digit(2) << 12 | digit(3) << 8 | digit(4) << 4 | digit(5);
    if (unit >= kNoHex) {
        return fail("an escape lacks its four hexadecimal digits");
    }
    at_ += kSize;
    return true;
}

std::string_view JsonScanner::read_string(Scratch& scratch) {
    if (failed()) {
        return {};
    }
    const char* const begin = ++at_;
    while (true) {
        at_ = find_special(at_, end_);
        if (peek() == '\\') {
            return resolve_string(begin, scratch);
        }
        if (!skip_hard()) {
            return failed() ? std::string_view{}
                            : std::string_view(begin, static_cast<std::size_t>(at_ - 1 - begin));
        }
    }
}

/// The rest of a string whose first backslash is here, behind what stands before it.
std::string_view JsonScanner::resolve_string(const char* begin, Scratch& scratch) {
    constexpr std::size_t kStep = 2 * kHardBytes;
    std::size_t used = static_cast<std::size_t>(at_ - begin);
    char* room = scratch.room(0, used + kStep);
    std::memcpy(room, begin, used);
    while (true) {
        if (scratch.room_bytes() - used < kStep) {
            room = scratch.room(used, kStep);
        }
        const char* const room_end = room + scratch.room_bytes() - kHardBytes;
        Copied copied = copy_simple(at_, end_, room + used, room_end);
        at_ = copied.from;
        if (peek() == '"') {
            ++at_;
            return scratch.take(static_cast<std::size_t>(copied.to - room));
        }
        // What is simple and stands here had no room; anything else is hard.
        if (at_end() || (is_special(*at_) && short_escape(at_, end_) == 0)) {
            copied.to = resolve_hard(copied.to);
        }
        if (failed()) {
            return {};
        }
        used = static_cast<std::size_t>(copied.to - room);
    }
}

/// Writes characters beyond ASCII, or what escapes of code points stand for: at most `kHardBytes`.
/// @return the byte after what was written.
char* JsonScanner::resolve_hard(char* to) {
    constexpr std::ptrdiff_t kLongest = 4;
    const char* const stop = to + kHardBytes - kLongest;
    if (peek() == '\\') {
        do {
            to = resolve_escape(to);
        } while (to <= stop && end_ - at_ >= 2 && at_[0] == '\\' && at_[1] == 'u');
        return to;
    }
    const char* const near_end = static_cast<std::size_t>(end_ - at_) > kHardBytes ? at_ + kHardBytes : end_;
    const char* const after = skip_characters(at_, near_end);
    if (after == at_) {
        fail(static_cast<unsigned char>(peek()) < 0x20 ? kBadByte : kBadUtf8);
        return to;
    }
    const auto size = static_cast<std::size_t>(after - at_);
    std::memcpy(to, at_, size);
    at_ = after;
    return to + size;
}

char* JsonScanner::resolve_escape(char* to) {
    const char* const begin = at_;
    std::uint32_t unit = 0;
    if (!read_hex(unit)) {
        return to;
    }
    bool half = is_low_surrogate(unit);
    if (is_high_surrogate(unit)) {
        std::uint32_t low = 0;
        half = end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u';
        if (!half && !read_hex(low)) {
            return to;
        }
        half = half || !is_low_surrogate(low);
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    if (half) {
        at_ = begin;
        fail("half of a surrogate pair stands alone");
        return to;
    }
    return put_utf8(to, unit);
}

}  // namespace warmlane::openai
