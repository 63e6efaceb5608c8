#include "tokenizer.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstddef>

namespace warmlane::sim {
namespace {

constexpr std::size_t kWholeRunBytes = 7;
constexpr std::size_t kCutBytesMin = 2;
constexpr std::size_t kCutBytesMax = 6;
constexpr std::size_t kContextBytes = 8;
constexpr std::size_t kContinuationBytesMax = 3;

enum class Kind : std::uint8_t { word, blank, punctuation };

Kind kind_of(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
        (byte >= 'A' && byte <= 'Z')) {
        return Kind::word;
    }
    return byte == ' ' || (byte >= '\t' && byte <= '\r') ? Kind::blank : Kind::punctuation;
}

bool is_continuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// End of the run of one kind that begins at `begin`; one space belongs to the run behind it.
std::size_t run_end(std::string_view text, std::size_t begin) {
    const bool joins_next =
        text[begin] == ' ' && begin + 1 < text.size() && kind_of(text[begin + 1]) != Kind::blank;
    std::size_t end = joins_next ? begin + 1 : begin;
    const Kind kind = kind_of(text[end]);
    while (end < text.size() && kind_of(text[end]) == kind) {
        ++end;
    }
    return end;
}

/// End of the piece at `begin` in a long run; depends on nothing behind it but the end of the run.
std::size_t cut_end(std::string_view text, std::size_t begin, std::size_t end) {
    const std::size_t context = std::min(begin, kContextBytes);
    const auto hash = XXH3_64bits(text.data() + begin - context, context);
    std::size_t cut = std::min(end, begin + kCutBytesMin + hash % (kCutBytesMax - kCutBytesMin + 1));
    for (std::size_t i = 0; i < kContinuationBytesMax && cut < end && is_continuation(text[cut]); ++i) {
        ++cut;
    }
    return cut;
}

}  // namespace

std::vector<std::string_view> split_tokens(std::string_view text) {
    std::vector<std::string_view> pieces;
    pieces.reserve(text.size() / 4 + 1);
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = run_end(text, begin);
        const bool whole = end - begin <= kWholeRunBytes;
        while (begin < end) {
            const std::size_t cut = whole ? end : cut_end(text, begin, end);
            pieces.push_back(text.substr(begin, cut - begin));
            begin = cut;
        }
    }
    return pieces;
}

Token token_of(std::string_view piece) {
    return static_cast<Token>(XXH3_64bits(piece.data(), piece.size()) & 0x7FFF'FFFFU);
}

std::vector<Token> tokenize(std::string_view text) {
    const std::vector<std::string_view> pieces = split_tokens(text);
    std::vector<Token> tokens(pieces.size());
    std::ranges::transform(pieces, tokens.begin(), token_of);
    return tokens;
}

}  // namespace warmlane::sim
