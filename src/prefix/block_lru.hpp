#pragma once

#include "probe_table.hpp"

#include "warmlane/core/prefix_match.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace warmlane::prefix {

/// The blocks of one endpoint in the order of their last use, at most a given number. 32-bit links in an
/// array that grows piece by piece: no allocation per block, and no piece is ever moved.
class BlockLru {
public:
    explicit BlockLru(std::size_t capacity) : capacity_(capacity) {}

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    void set_capacity(std::size_t capacity) { capacity_ = capacity; }
    bool contains(BlockHash block) const;

    /// Makes a block the most recently used one; false when it was not there and has been added.
    bool touch(BlockHash block);
    /// Removes and gives the least recently used block while there are more than the capacity allows.
    std::optional<BlockHash> evict();
    /// False when it was not there.
    bool remove(BlockHash block);

    /// Calls `visit` with every block, in no order that matters.
    template <class Visit>
    void for_each(Visit visit) const {
        for (std::uint32_t id = first_; id != kNone; id = at(id).next) {
            visit(at(id).block);
        }
    }

    std::size_t bytes() const;

private:
    static constexpr std::uint32_t kNone = 0xffff'ffff;
    static constexpr std::uint32_t kPieceNodes = 1024;

    struct Node {
        BlockHash block;
        std::uint32_t previous;
        std::uint32_t next;
    };
    struct NodeRef {
        std::uint32_t id = kNone;
        bool empty() const { return id == kNone; }
    };

    Node& at(std::uint32_t id) { return pieces_[id / kPieceNodes][id % kPieceNodes]; }
    const Node& at(std::uint32_t id) const { return pieces_[id / kPieceNodes][id % kPieceNodes]; }
    auto hash_of() const {
        return [this](NodeRef ref) { return at(ref.id).block; };
    }
    std::uint32_t take_free_node();
    void link_first(std::uint32_t id);
    void unlink(std::uint32_t id);
    void drop(std::uint32_t id);

    std::size_t capacity_;
    std::size_t size_ = 0;
    /// Most and least recently used.
    std::uint32_t first_ = kNone;
    std::uint32_t last_ = kNone;
    /// Nodes that are not in use, chained by `next`.
    std::uint32_t free_ = kNone;
    std::uint32_t nodes_made_ = 0;
    std::vector<std::unique_ptr<Node[]>> pieces_;
    ProbeTable<NodeRef> index_;
};

}  // namespace warmlane::prefix
