#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#ifdef __SSE2__
#include <bit>
#include <emmintrin.h>
#endif

namespace warmlane::openai {

/// Bytes that are looked at in one step.
inline constexpr std::size_t kTextStride = 16;

/// A byte of a JSON string that cannot be passed over: a quote, a backslash, a control character, or a byte
/// of a character beyond ASCII.
constexpr bool is_special(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte >= 0x80 || c == '"' || c == '\\';
}

#ifdef __SSE2__
/// One bit for each special byte of a stride. Read as signed, bytes from 0x80 on are below zero, and so they
/// fall under the same comparison as control characters.
inline std::uint32_t special_bits(__m128i bytes) {
    const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
    const __m128i backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
    const __m128i below = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));
    const __m128i special = _mm_or_si128(_mm_or_si128(quotes, backslashes), below);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(special));
}

inline __m128i load_stride(const char* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}
#endif

/// First special byte at or after `at`; `end` when there is none.
inline const char* find_special(const char* at, const char* end) {
#ifdef __SSE2__
    for (; end - at >= static_cast<std::ptrdiff_t>(kTextStride); at += kTextStride) {
        const std::uint32_t bits = special_bits(load_stride(at));
        if (bits != 0) {
            return at + std::countr_zero(bits);
        }
    }
#endif
    while (at != end && !is_special(*at)) {
        ++at;
    }
    return at;
}

/// What one character after a backslash stands for; 0 when it is none of the eight that stand alone.
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

inline constexpr std::array<char, 256> kEscapes = make_escapes();

/// What the two bytes at `at` stand for when they are an escape of one character; 0 otherwise.
inline char short_escape(const char* at, const char* end) {
    return end - at >= 2 && *at == '\\' ? kEscapes[static_cast<unsigned char>(at[1])] : '\0';
}

/// Passes over plain text and escapes of one character.
/// @return the first byte of anything else; `end` when there is none.
inline const char* skip_simple(const char* at, const char* end) {
    while (true) {
        at = find_special(at, end);
        if (short_escape(at, end) == 0) {
            return at;
        }
        at += 2;
    }
}

struct Copied {
    const char* from;
    char* to;
};

/// Copies plain text, and what escapes of one character stand for, until anything else comes or less than a
/// stride of room is left. What lies behind the copy up to `room_end` may be overwritten.
inline Copied copy_simple(const char* at, const char* end, char* to, const char* room_end) {
    constexpr auto kStride = static_cast<std::ptrdiff_t>(kTextStride);
    while (room_end - to >= kStride) {
#ifdef __SSE2__
        if (end - at >= kStride) {
            const __m128i bytes = load_stride(at);
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
            const std::uint32_t bits = special_bits(bytes);
            const int plain = bits == 0 ? static_cast<int>(kStride) : std::countr_zero(bits);
            at += plain;
            to += plain;
            if (bits == 0) {
                continue;
            }
        }
#endif
        if (at == end) {
            break;
        }
        if (!is_special(*at)) {
            *to++ = *at++;
        } else if (const char c = short_escape(at, end); c != 0) {
            *to++ = c;
            at += 2;
        } else {
            break;
        }
    }
    return {at, to};
}

/// Size in bytes of the UTF-8 character that starts at `at`; 0 when there is none: a stray or missing
/// continuation byte, an overlong form, a surrogate, or beyond U+10FFFF (RFC 3629, section 4).
std::size_t utf8_size(const char* at, const char* end);

/// First byte after the run of well-formed characters beyond ASCII at `at`; `at` when the first one is not.
const char* skip_characters(const char* at, const char* end);

/// Writes a code point that is not a surrogate as UTF-8; at most four bytes.
/// @return the byte after it.
char* put_utf8(char* to, std::uint32_t code_point);

}  // namespace warmlane::openai
