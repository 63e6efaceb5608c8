#pragma once

#include <cstdint>

namespace warmlane {

/// Names a run of prompt bytes together with everything before it: equal values at one position mean
/// equal prompts up to the end of that block. 64 bits, keyed; zero is an ordinary value.
using BlockHash = std::uint64_t;

/// How much of a request's prompt one endpoint is believed to hold.
struct PrefixMatchInfo {
    /// Blocks held, counted from block 0 without a gap; summed over the prompts of the request.
    std::uint32_t match_blocks = 0;
    /// Blocks that the whole request has; 0 when it has no prompt that can be hashed.
    std::uint32_t total_blocks = 0;
    /// Tokens that one full block stands for.
    std::uint32_t block_tokens = 0;
};

}  // namespace warmlane
