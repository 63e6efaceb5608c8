#pragma once

#include "prefix/arena.hpp"
#include "prefix/flat_index.hpp"
#include "prefix/prefetch.hpp"

#include <cstddef>
#include <cstdint>

namespace warmlane::prefix {

/// The blocks that one endpoint holds, in the order of their last use. Blocks go by their number in a
/// `BlockTable`.
class HeldBlocks {
public:
    static constexpr std::uint32_t kNone = FlatIndex::kNone;

    /// A block that is held becomes the most recently used one.
    void renew(std::uint32_t block);
    /// Adds a block as the most recently used one.
    /// @return false when there is no room for more.
    bool add(std::uint32_t block);
    /// Removes a block that is held.
    void remove(std::uint32_t block);

    /// The least recently used block; `kNone` when there is none.
    std::uint32_t oldest() const { return oldest_ == kNone ? kNone : nodes_[oldest_].block; }
    /// Calls `visit` with the `count` least recently used blocks, oldest first.
    template <class Visit>
    void visit_oldest(std::size_t count, Visit visit) const {
        for (std::uint32_t node = oldest_; node != kNone && count > 0; --count) {
            visit(nodes_[node].block);
            node = nodes_[node].newer;
        }
    }
    std::size_t size() const { return nodes_.size(); }

    /// First step of looking ahead.
    void prefetch(std::uint32_t block) const { index_.prefetch(mixed(block)); }
    /// Second step, a while later.
    void prefetch_node(std::uint32_t block) const {
        const std::uint32_t node = index_.guess(mixed(block));
        if (node != kNone) {
            prefix::prefetch(&nodes_[node]);
        }
    }

    std::size_t bytes() const { return nodes_.bytes() + index_.bytes(); }

private:
    struct Node {
        std::uint32_t block;
        std::uint32_t older;
        std::uint32_t newer;
    };

    std::uint32_t find(std::uint32_t block) const;
    void link_newest(std::uint32_t node);
    void unlink(std::uint32_t node);

    Arena<Node> nodes_;
    FlatIndex index_;
    std::uint32_t newest_ = kNone;
    std::uint32_t oldest_ = kNone;
};

}  // namespace warmlane::prefix
