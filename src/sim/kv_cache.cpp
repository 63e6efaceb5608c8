#include "kv_cache.hpp"

#include <cassert>
#include <ranges>

namespace warmlane::sim {

KvCache::KvCache(std::uint32_t block_count) : blocks_(std::size_t{block_count} + 1) {
    blocks_[anchor()].previous = anchor();
    blocks_[anchor()].next = anchor();
    for (BlockId block = 0; block < block_count; ++block) {
        link_before(anchor(), block);
    }
}

std::uint32_t KvCache::match(std::span<const BlockHash> hashes) const {
    std::uint32_t count = 0;
    while (count < hashes.size() && index_.contains(hashes[count])) {
        ++count;
    }
    return count;
}

bool KvCache::take(std::span<const BlockHash> matched, std::uint32_t fresh, std::vector<BlockId>& held) {
    std::uint32_t reclaimed = 0;
    for (const BlockHash hash : matched) {
        reclaimed += blocks_[index_.at(hash)].holders == 0 ? 1 : 0;
    }
    if (free_count_ < reclaimed + fresh) {
        return false;
    }
    for (const BlockHash hash : matched) {
        const BlockId block = index_.at(hash);
        if (blocks_[block].holders++ == 0) {
            unlink(block);
        }
        held.push_back(block);
    }
    for (std::uint32_t i = 0; i < fresh; ++i) {
        const BlockId block = blocks_[anchor()].next;
        unlink(block);
        if (blocks_[block].findable) {
            forget(blocks_[block]);
            ++evicted_count_;
        }
        blocks_[block].holders = 1;
        held.push_back(block);
    }
    return true;
}

void KvCache::publish(BlockId block, BlockHash hash) {
    if (!blocks_[block].findable && index_.emplace(hash, block).second) {
        blocks_[block].hash = hash;
        blocks_[block].findable = true;
    }
}

void KvCache::release(std::vector<BlockId>& held) {
    for (const BlockId block : held | std::views::reverse) {
        assert(blocks_[block].holders > 0);
        if (--blocks_[block].holders > 0) {
            continue;
        }
        // What nobody can find is of no use to keep: it goes first.
        const BlockId position = blocks_[block].findable ? anchor() : blocks_[anchor()].next;
        link_before(position, block);
    }
    held.clear();
}

void KvCache::forget_all() {
    for (Block& block : blocks_) {
        block.findable = false;
    }
    index_.clear();
}

void KvCache::link_before(BlockId position, BlockId block) {
    const BlockId previous = blocks_[position].previous;
    blocks_[block].previous = previous;
    blocks_[block].next = position;
    blocks_[previous].next = block;
    blocks_[position].previous = block;
    ++free_count_;
}

void KvCache::unlink(BlockId block) {
    blocks_[blocks_[block].previous].next = blocks_[block].next;
    blocks_[blocks_[block].next].previous = blocks_[block].previous;
    --free_count_;
}

void KvCache::forget(Block& block) {
    index_.erase(block.hash);
    block.findable = false;
}

}  // namespace warmlane::sim
