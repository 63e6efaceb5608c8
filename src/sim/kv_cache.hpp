#pragma once

#include "warmlane/core/prefix_match.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace warmlane::sim {

using BlockId = std::uint32_t;

/// The blocks of a paged KV cache: who holds them, which are full and can be found by their hash, and which
/// free one is given away next. A free block keeps its contents until it is needed; the one unused for
/// longest goes first.
class KvCache {
public:
    explicit KvCache(std::uint32_t block_count);

    /// How many of the hashes, counted from the first without a gap, are cached.
    std::uint32_t match(std::span<const BlockHash> hashes) const;

    /// Adds to `held` the cached blocks of `matched` (shared) and `fresh` empty ones.
    ///
    /// @param matched  each is cached, as `match` has found.
    /// @return false, and nothing changed, when too few blocks are free.
    bool take(std::span<const BlockHash> matched, std::uint32_t fresh, std::vector<BlockId>& held);

    /// Makes a full block findable. A block with contents that are cached already stays unknown.
    void publish(BlockId block, BlockHash hash);

    /// Gives blocks back, the last one first, so that tails are evicted before heads. Clears `held`.
    void release(std::vector<BlockId>& held);

    /// No block can be found any more; held ones stay held.
    void forget_all();

    std::uint32_t block_count() const { return static_cast<std::uint32_t>(blocks_.size() - 1); }
    std::uint32_t free_count() const { return free_count_; }
    std::uint32_t cached_count() const { return static_cast<std::uint32_t>(index_.size()); }
    std::uint64_t evicted_count() const { return evicted_count_; }

private:
    struct Block {
        BlockHash hash = 0;
        std::uint32_t holders = 0;
        bool findable = false;
        /// Neighbours in the ring of free blocks.
        BlockId previous = 0;
        BlockId next = 0;
    };

    BlockId anchor() const { return block_count(); }
    void link_before(BlockId position, BlockId block);
    void unlink(BlockId block);
    void forget(Block& block);

    /// One more than the cache has: the last one anchors the ring, whose order is that of eviction.
    std::vector<Block> blocks_;
    std::unordered_map<BlockHash, BlockId> index_;
    std::uint32_t free_count_ = 0;
    std::uint64_t evicted_count_ = 0;
};

}  // namespace warmlane::sim
