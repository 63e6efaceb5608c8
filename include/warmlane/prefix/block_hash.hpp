#pragma once

#include "warmlane/core/inference_request.hpp"
#include "warmlane/core/prefix_match.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace warmlane::prefix {

struct BlockLimits {
    /// Bytes that are hashed as one block: tokens of a block times four. 0 means that nothing is hashed.
    std::size_t block_bytes = 256;
    /// Blocks of one request that are hashed at most, over all its prompts; what lies beyond is not looked
    /// at. 0 means all.
    std::size_t blocks_max = 2048;
};

/// The secret that all chains of one process (or of replicas that share it) are keyed with.
class HashKey {
public:
    /// Derived from `secret`, which may have any length; equal secrets give equal keys.
    static HashKey from_secret(std::string_view secret);
    /// Drawn from the operating system.
    static HashKey random();

private:
    friend class BlockHasher;
    HashKey();
    struct Material;
    std::shared_ptr<const Material> material_;
};

/// Hashes prompts block by block, each block over its predecessor. Immutable after construction; any thread.
class BlockHasher {
public:
    BlockHasher(HashKey key, BlockLimits limits);

    /// One hash per block of each prompt, in order; the last block of a prompt may be short and is kept.
    /// The chain starts from `model` and `salt`, each with its length, so that no two pairs share a start.
    /// Equal hash at k means equal start and equal bytes up to the end of block k.
    std::vector<std::vector<BlockHash>> hash(
        const std::vector<Prompt>& prompts, std::string_view model, std::string_view salt
    ) const;

    const BlockLimits& limits() const { return limits_; }

private:
    HashKey key_;
    BlockLimits limits_;
};

}  // namespace warmlane::prefix
