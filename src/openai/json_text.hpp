#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __SSE2__
#include <bit>
#include <emmintrin.h>
#endif

namespace warmlane::openai {

/// Bytes that are looked at in one step, and that `copy_plain` may write beyond what it reports.
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

/// Copies what stands before the first special byte, as far as `room` bytes less one stride take it.
/// @return the number of bytes copied.
inline std::size_t copy_plain(const char* from, const char* end, char* to, std::size_t room) {
    const char* at = from;
    const std::size_t size = static_cast<std::size_t>(end - from);
    const char* const stop = from + (size < room - kTextStride ? size : room - kTextStride);
#ifdef __SSE2__
    for (; end - at >= static_cast<std::ptrdiff_t>(kTextStride) && at < stop; at += kTextStride) {
        const __m128i bytes = load_stride(at);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to + (at - from)), bytes);
        const std::uint32_t bits = special_bits(bytes);
        if (bits != 0) {
            return static_cast<std::size_t>(at - from) + static_cast<std::size_t>(std::countr_zero(bits));
        }
    }
#endif
    while (at < stop && !is_special(*at)) {
        to[at - from] = *at;
        ++at;
    }
    return static_cast<std::size_t>(at - from);
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
