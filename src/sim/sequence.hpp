#pragma once

#include "kv_cache.hpp"

#include "warmlane/sim/simulated_engine.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace warmlane::sim {

/// One request inside the engine: its tokens by number, and how far they are computed.
struct Sequence {
    Sequence(RequestId its_id, const EngineRequest& request, TimePoint now);

    /// Tokens that are there to be computed: the prompt, and what has been made of the answer.
    std::uint32_t known_tokens() const { return prompt_tokens + produced; }
    std::uint32_t missing_tokens() const { return known_tokens() - computed; }
    /// Each step makes one token of the answer, as against working on the prompt.
    bool is_decoding() const { return produced > 0 && missing_tokens() == 1; }

    const RequestId id;
    const TimePoint arrived_at;
    const std::uint32_t prompt_tokens;
    const std::uint32_t output_tokens;
    /// One per full block of prompt and answer together; none without prefix caching.
    std::vector<BlockHash> hashes;

    std::vector<BlockId> blocks;
    /// Tokens whose keys and values are in `blocks`.
    std::uint32_t computed = 0;
    /// Tokens of the answer made so far.
    std::uint32_t produced = 0;
    /// Tokens that the step under way computes.
    std::uint32_t scheduled = 0;
    /// Since the first admission.
    std::optional<std::uint32_t> cached_tokens;
    Duration queued{0};
    TimePoint last_token_at;
};

/// The hashes of a request's full blocks, chained from its scope.
std::vector<BlockHash> block_hashes(const EngineRequest& request, std::uint32_t block_tokens);

/// The next token of a sequence whose known tokens are all computed, made at `at`; counts it.
EngineEvent produce_token(Sequence& sequence, TimePoint at);

}  // namespace warmlane::sim
