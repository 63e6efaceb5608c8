#include "block_lru.hpp"

namespace warmlane::prefix {

bool BlockLru::contains(BlockHash block) const {
    return index_.find(block, hash_of()) != nullptr;
}

bool BlockLru::touch(BlockHash block) {
    if (const NodeRef* known = index_.find(block, hash_of())) {
        const std::uint32_t id = known->id;
        if (id != first_) {
            unlink(id);
            link_first(id);
        }
        return true;
    }
    const std::uint32_t id = take_free_node();
    at(id).block = block;
    link_first(id);
    index_.insert(NodeRef{id}, hash_of());
    ++size_;
    return false;
}

std::optional<BlockHash> BlockLru::evict() {
    if (size_ <= capacity_) {
        return std::nullopt;
    }
    const BlockHash block = at(last_).block;
    drop(last_);
    return block;
}

bool BlockLru::remove(BlockHash block) {
    const NodeRef* known = index_.find(block, hash_of());
    if (known == nullptr) {
        return false;
    }
    drop(known->id);
    return true;
}

std::size_t BlockLru::bytes() const {
    return sizeof(*this) - sizeof(index_) + index_.bytes() + pieces_.size() * kPieceNodes * sizeof(Node);
}

std::uint32_t BlockLru::take_free_node() {
    if (free_ != kNone) {
        const std::uint32_t id = free_;
        free_ = at(id).next;
        return id;
    }
    if (nodes_made_ % kPieceNodes == 0) {
        pieces_.push_back(std::make_unique_for_overwrite<Node[]>(kPieceNodes));
    }
    return nodes_made_++;
}

void BlockLru::link_first(std::uint32_t id) {
    at(id).previous = kNone;
    at(id).next = first_;
    if (first_ != kNone) {
        at(first_).previous = id;
    } else {
        last_ = id;
    }
    first_ = id;
}

void BlockLru::unlink(std::uint32_t id) {
    const Node& node = at(id);
    if (node.previous != kNone) {
        at(node.previous).next = node.next;
    } else {
        first_ = node.next;
    }
    if (node.next != kNone) {
        at(node.next).previous = node.previous;
    } else {
        last_ = node.previous;
    }
}

void BlockLru::drop(std::uint32_t id) {
    index_.erase(at(id).block, hash_of());
    unlink(id);
    at(id).next = free_;
    free_ = id;
    --size_;
}

}  // namespace warmlane::prefix
