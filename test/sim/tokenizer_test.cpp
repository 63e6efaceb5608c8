#include "sim/tokenizer.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace warmlane::sim {
namespace {

using Pieces = std::vector<std::string_view>;

const std::string kText =
    "The quick brown fox jumps over the lazy dog, and internationalisation of pseudo-tokens isn't trivial:\n"
    "  - 12345678901234567890 numbers;\n\n\tand tabs ... naïve Grüße, 你好世界你好世界, 😀😀😀 end.\n"
    "{\"role\": \"user\", \"content\": \"https://example.com/a/very/long/path?with=query\"}    ";

std::string joined(const Pieces& pieces) {
    std::string out;
    for (const std::string_view piece : pieces) {
        out += piece;
    }
    return out;
}

}  // namespace

TEST_CASE("tokenizer: short words keep the space before them, punctuation stands alone") {
    CHECK(split_tokens("the quick fox.") == Pieces{"the", " quick", " fox", "."});
    CHECK(split_tokens("a,  b\n\nc") == Pieces{"a", ",", "  ", "b", "\n\n", "c"});
    CHECK(split_tokens("").empty());
}

TEST_CASE("tokenizer: the pieces are the text, about four bytes each") {
    const Pieces pieces = split_tokens(kText);
    CHECK(joined(pieces) == kText);
    const double bytes = static_cast<double>(kText.size()) / static_cast<double>(pieces.size());
    CHECK(bytes > 3.3);
    CHECK(bytes < 4.7);
}

TEST_CASE("tokenizer: long words are cut into unequal pieces of 2 to 6 bytes") {
    const Pieces pieces =
        split_tokens("abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrst");
    std::vector<bool> seen(8);
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
        CAPTURE(pieces[i]);
        REQUIRE(pieces[i].size() >= 2);
        REQUIRE(pieces[i].size() <= 6);
        seen[pieces[i].size()] = true;
    }
    CHECK(std::count(seen.begin(), seen.end(), true) >= 3);
}

TEST_CASE("tokenizer: a character of UTF-8 is never cut") {
    for (const std::string_view piece : split_tokens(kText)) {
        CAPTURE(piece);
        CHECK((static_cast<unsigned char>(piece.front()) & 0xC0U) != 0x80U);
    }
}

TEST_CASE("tokenizer: text that is continued keeps all tokens but the last") {
    const std::vector<Token> whole = tokenize(kText);
    for (std::size_t cut = 0; cut <= kText.size(); ++cut) {
        CAPTURE(cut);
        const std::vector<Token> part = tokenize(std::string_view(kText).substr(0, cut));
        const std::size_t kept = part.empty() ? 0 : part.size() - 1;
        REQUIRE(kept <= whole.size());
        CHECK(std::equal(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(kept), whole.begin()));
    }
}

TEST_CASE("tokenizer: equal pieces are equal tokens, others differ, and all fit a signed number") {
    CHECK(token_of("the") == token_of("the"));
    CHECK(token_of("the") != token_of(" the"));
    for (const Token token : tokenize(kText)) {
        CHECK(token <= 0x7FFF'FFFFU);
    }
}

}  // namespace warmlane::sim
