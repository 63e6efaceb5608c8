#pragma once

#include "warmlane/sim/simulated_engine.hpp"

#include <string_view>
#include <vector>

namespace warmlane::sim {

/// Cuts text into tokens of unequal length, about four bytes on average: a short word with the space before
/// it is one token, a longer one is cut into pieces of 2 to 6 bytes (a character of UTF-8 is never cut); runs
/// of punctuation and of white space are treated alike. The pieces, joined, are the text.
///
/// Text that is continued keeps its tokens: those of `a` begin those of `a + b`, except for the last one of
/// `a`.
std::vector<std::string_view> split_tokens(std::string_view text);

/// The token that stands for a piece of text; at most 31 bits.
Token token_of(std::string_view piece);

/// The tokens of a text.
std::vector<Token> tokenize(std::string_view text);

}  // namespace warmlane::sim
