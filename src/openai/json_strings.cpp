// How `JsonScanner` reads strings: nearly all bytes of a request body stand in one.

#include "openai/json_scanner.hpp"
#include "openai/json_text.hpp"

#include <array>
#include <cstring>

namespace warmlane::openai {
namespace {

constexpr const char* kBadEscape = "a backslash starts no escape";
constexpr const char* kHalfPair = "half of a surrogate pair stands alone";
constexpr const char* kBadByte = "a string holds a control character";
constexpr const char* kBadUtf8 = "a string is not UTF-8";

/// What one character after a backslash stands for; 0 when nothing (or `u`, which is not alone).
constexpr std::array<char, 256> make_escapes() {
    std::array<char, 256> escapes{};
    escapes['"'] = '"';
    escapes['\\'] = '\\';
    escapes['/'] = '/';
    escapes['b'] = '\b';
    escapes['f'] = '\f';
    escapes['n'] = '\n';
    escapes['r'] = '\r';
    escapes['t'] = '\t';
    return escapes;
}

constexpr std::array<char, 256> kEscapes = make_escapes();

char escaped(char c) {
    return kEscapes[static_cast<unsigned char>(c)];
}

int hex_value(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

bool is_high_surrogate(std::uint32_t unit) {
    return unit >= 0xD800 && unit < 0xDC00;
}

bool is_low_surrogate(std::uint32_t unit) {
    return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

void JsonScanner::skip_string() {
    ++at_;
    while (true) {
        at_ = find_special(at_, end_);
        const char c = peek();
        if (c == '"') {
            ++at_;
            return;
        }
        if (c == '\\') {
            if (!skip_escape()) {
                return;
            }
        } else if (const char* after = skip_characters(at_, end_); after != at_) {
            at_ = after;
        } else {
            fail(static_cast<unsigned char>(c) < 0x20 ? kBadByte : kBadUtf8);
            return;
        }
    }
}

bool JsonScanner::skip_escape() {
    const char c = end_ - at_ > 1 ? at_[1] : '\0';
    if (escaped(c) != 0) {
        at_ += 2;
        return true;
    }
    std::uint32_t unit = 0;
    return read_hex(unit);
}

/// Consumes `\uXXXX`.
bool JsonScanner::read_hex(std::uint32_t& unit) {
    constexpr std::ptrdiff_t kSize = 6;
    if (end_ - at_ < 2 || at_[1] != 'u') {
        return fail(kBadEscape);
    }
    unit = 0;
    for (std::ptrdiff_t i = 2; i < kSize; ++i) {
        const int digit = i < end_ - at_ ? hex_value(at_[i]) : -1;
        if (digit < 0) {
            return fail("an escape lacks its four hexadecimal digits");
        }
        unit = unit * 16 + static_cast<std::uint32_t>(digit);
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
        const char c = peek();
        if (c == '"') {
            ++at_;
            return {begin, static_cast<std::size_t>(at_ - 1 - begin)};
        }
        if (c == '\\') {
            return resolve_string(begin, scratch);
        }
        const char* const after = skip_characters(at_, end_);
        if (after == at_) {
            fail(static_cast<unsigned char>(c) < 0x20 ? kBadByte : kBadUtf8);
            return {};
        }
        at_ = after;
    }
}

/// The rest of a string whose first backslash is here, behind what stands before it.
std::string_view JsonScanner::resolve_string(const char* begin, Scratch& scratch) {
    constexpr std::size_t kStep = 4 * kTextStride;
    std::size_t used = static_cast<std::size_t>(at_ - begin);
    char* room = scratch.room(0, used + kStep);
    std::memcpy(room, begin, used);
    while (true) {
        if (scratch.room_bytes() - used < kStep) {
            room = scratch.room(used, kStep);
        }
        const std::size_t copied = copy_plain(at_, end_, room + used, scratch.room_bytes() - used);
        at_ += copied;
        used += copied;
        const char c = peek();
        if (c == '"') {
            ++at_;
            return scratch.take(used);
        }
        if (c == '\\') {
            char* const after = resolve_escape(room + used);
            if (after == nullptr) {
                return {};
            }
            used = static_cast<std::size_t>(after - room);
        } else if (is_special(c) && !copy_characters(room + used, used)) {
            return {};
        }
    }
}

/// Copies at most one stride of characters beyond ASCII, which is room that `copy_plain` leaves.
bool JsonScanner::copy_characters(char* to, std::size_t& used) {
    constexpr auto kStride = static_cast<std::ptrdiff_t>(kTextStride);
    const char* const after = skip_characters(at_, end_ - at_ > kStride ? at_ + kStride : end_);
    if (after == at_) {
        return fail(static_cast<unsigned char>(peek()) < 0x20 ? kBadByte : kBadUtf8);
    }
    const auto size = static_cast<std::size_t>(after - at_);
    std::memcpy(to, at_, size);
    at_ = after;
    used += size;
    return true;
}

/// @return the byte after what was written; null after an error.
char* JsonScanner::resolve_escape(char* to) {
    const char plain = end_ - at_ > 1 ? escaped(at_[1]) : '\0';
    if (plain == 0) {
        return resolve_unicode(to);
    }
    at_ += 2;
    *to = plain;
    return to + 1;
}

char* JsonScanner::resolve_unicode(char* to) {
    const char* const begin = at_;
    std::uint32_t unit = 0;
    if (!read_hex(unit)) {
        return nullptr;
    }
    bool half = is_low_surrogate(unit);
    if (is_high_surrogate(unit)) {
        std::uint32_t low = 0;
        half = end_ - at_ < 2 || at_[0] != '\\' || at_[1] != 'u';
        if (!half && !read_hex(low)) {
            return nullptr;
        }
        half = half || !is_low_surrogate(low);
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    if (half) {
        at_ = begin;
        fail(kHalfPair);
        return nullptr;
    }
    return put_utf8(to, unit);
}

}  // namespace warmlane::openai
