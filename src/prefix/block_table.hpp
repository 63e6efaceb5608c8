#pragma once

#include "prefix/arena.hpp"
#include "prefix/flat_index.hpp"
#include "prefix/prefetch.hpp"

#include "warmlane/core/prefix_match.hpp"

#include <cstddef>
#include <cstdint>

namespace warmlane::prefix {

/// One block and the endpoints of a group that hold it, one bit each.
struct Block {
    BlockHash hash;
    std::uint64_t holders;
};

/// The blocks that somebody of a group holds, each with a number that it keeps.
class BlockTable {
public:
    static constexpr std::uint32_t kNone = FlatIndex::kNone;

    /// `kNone` when nobody holds the block.
    std::uint32_t find(BlockHash hash) const {
        return index_.find(mixed(hash), [this, hash](std::uint32_t id) { return blocks_[id].hash == hash; });
    }
    /// Adds a block that nobody held; `kNone` when there is no room for more.
    std::uint32_t add(const Block& block) {
        if (blocks_.size() == FlatIndex::kIdsMax) {
            return kNone;
        }
        const std::uint32_t id = blocks_.add(block);
        if (!index_.insert(mixed(block.hash), id, [this](std::uint32_t other) {
                return mixed(blocks_[other].hash);
            })) {
            blocks_.remove(id);
            return kNone;
        }
        return id;
    }
    void remove(std::uint32_t id) {
        index_.erase(mixed(blocks_[id].hash), id);
        blocks_.remove(id);
    }

    Block& operator[](std::uint32_t id) { return blocks_[id]; }
    const Block& operator[](std::uint32_t id) const { return blocks_[id]; }

    /// First step of looking ahead.
    void prefetch(BlockHash hash) const { index_.prefetch(mixed(hash)); }
    /// Second step, a while later.
    /// @return what `find` is likely to give.
    std::uint32_t prefetch_block(BlockHash hash) const {
        const std::uint32_t id = index_.guess(mixed(hash));
        if (id != kNone) {
            prefix::prefetch(&blocks_[id]);
        }
        return id;
    }

    std::size_t size() const { return blocks_.size(); }
    std::size_t bytes() const { return blocks_.bytes() + index_.bytes(); }

private:
    Arena<Block> blocks_;
    FlatIndex index_;
};

}  // namespace warmlane::prefix
