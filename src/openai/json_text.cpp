#include "openai/json_text.hpp"

namespace warmlane::openai {
namespace {

bool in_range(unsigned char byte, unsigned char low, unsigned char high) {
    return byte >= low && byte <= high;
}

}  // namespace

std::size_t utf8_size(const char* at, const char* end) {
    const auto byte = [&](std::ptrdiff_t offset) { return static_cast<unsigned char>(at[offset]); };
    const auto continues = [&](std::ptrdiff_t offset) { return in_range(byte(offset), 0x80, 0xBF); };
    const std::ptrdiff_t left = end - at;
    const unsigned char lead = left > 0 ? byte(0) : 0xFF;
    if (lead < 0x80) {
        return 1;
    }
    if (in_range(lead, 0xC2, 0xDF)) {
        return left >= 2 && continues(1) ? 2 : 0;
    }
    if (in_range(lead, 0xE0, 0xEF)) {
        const unsigned char low = lead == 0xE0 ? 0xA0 : 0x80;
        const unsigned char high = lead == 0xED ? 0x9F : 0xBF;
        return left >= 3 && in_range(byte(1), low, high) && continues(2) ? 3 : 0;
    }
    if (in_range(lead, 0xF0, 0xF4)) {
        const unsigned char low = lead == 0xF0 ? 0x90 : 0x80;
        const unsigned char high = lead == 0xF4 ? 0x8F : 0xBF;
        return left >= 4 && in_range(byte(1), low, high) && continues(2) && continues(3) ? 4 : 0;
    }
    return 0;
}

const char* skip_characters(const char* at, const char* end) {
    // Three bytes with any last two: nearly all of Chinese, Japanese and Korean.
    const auto is_common = [](const char* c) {
        const auto lead = static_cast<unsigned char>(c[0]);
        return (lead & 0xF0) == 0xE0 && lead != 0xE0 && lead != 0xED && (c[1] & 0xC0) == 0x80 &&
               (c[2] & 0xC0) == 0x80;
    };
    while (end - at >= 3 && is_common(at)) {
        at += 3;
    }
    while (at != end && static_cast<unsigned char>(*at) >= 0x80) {
        const std::size_t size = utf8_size(at, end);
        if (size == 0) {
            break;
        }
        at += size;
    }
    return at;
}

char* put_utf8(char* to, std::uint32_t code_point) {
    const auto put = [&to](std::uint32_t byte) { *to++ = static_cast<char>(byte); };
    const auto put_rest = [&](std::uint32_t shift) { put(0x80 | ((code_point >> shift) & 0x3F)); };
    if (code_point < 0x80) {
        put(code_point);
    } else if (code_point < 0x800) {
        put(0xC0 | (code_point >> 6));
        put_rest(0);
    } else if (code_point < 0x10000) {
        put(0xE0 | (code_point >> 12));
        put_rest(6);
        put_rest(0);
    } else {
        put(0xF0 | (code_point >> 18));
        put_rest(12);
        put_rest(6);
        put_rest(0);
    }
    return to;
}

}  // namespace warmlane::openai
