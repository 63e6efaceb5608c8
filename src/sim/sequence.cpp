#include "sequence.hpp"

#include <xxhash.h>

namespace warmlane::sim {

Sequence::Sequence(RequestId its_id, const EngineRequest& request, TimePoint now)
    : id(its_id),
      arrived_at(now),
      prompt_tokens(static_cast<std::uint32_t>(request.prompt.size())),
      output_tokens(static_cast<std::uint32_t>(request.output.size())) {}

std::vector<BlockHash> block_hashes(const EngineRequest& request, std::uint32_t block_tokens) {
    std::vector<Token> tokens = request.prompt;
    tokens.insert(tokens.end(), request.output.begin(), request.output.end());
    std::vector<BlockHash> hashes(tokens.size() / block_tokens);
    BlockHash previous = XXH3_64bits(request.cache_scope.data(), request.cache_scope.size());
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        const Token* const block = tokens.data() + i * block_tokens;
        previous = XXH3_64bits_withSeed(block, block_tokens * sizeof(Token), previous);
        hashes[i] = previous;
    }
    return hashes;
}

EngineEvent produce_token(Sequence& sequence, TimePoint at) {
    const bool is_first = sequence.produced++ == 0;
    const EngineEvent event{
        .id = sequence.id,
        .at = at,
        .output_tokens = sequence.produced,
        .prompt_tokens = sequence.prompt_tokens,
        .cached_tokens = sequence.cached_tokens.value_or(0),
        .finished = sequence.produced == sequence.output_tokens,
        .since_arrival = at - sequence.arrived_at,
        .since_last_token = is_first ? Duration{0} : at - sequence.last_token_at,
        .queued = sequence.queued,
    };
    sequence.last_token_at = at;
    return event;
}

}  // namespace warmlane::sim
