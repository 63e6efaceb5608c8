#include "prefix/held_blocks.hpp"

#include <cassert>

namespace warmlane::prefix {

std::uint32_t HeldBlocks::find(std::uint32_t block) const {
    return index_.find(mixed(block), [this, block](std::uint32_t node) {
        return nodes_[node].block == block;
    });
}

void HeldBlocks::renew(std::uint32_t block) {
    const std::uint32_t node = find(block);
    assert(node != kNone);
    if (node != newest_) {
        unlink(node);
        link_newest(node);
    }
}

bool HeldBlocks::add(std::uint32_t block) {
    if (nodes_.size() == FlatIndex::kIdsMax) {
        return false;
    }
    const std::uint32_t node = nodes_.add({block, kNone, kNone});
    if (!index_.insert(mixed(block), node, [this](std::uint32_t other) {
            return mixed(nodes_[other].block);
        })) {
        nodes_.remove(node);
        return false;
    }
    link_newest(node);
    return true;
}

void HeldBlocks::remove(std::uint32_t block) {
    const std::uint32_t node = find(block);
    assert(node != kNone);
    unlink(node);
    index_.erase(mixed(block), node);
    nodes_.remove(node);
}

void HeldBlocks::link_newest(std::uint32_t node) {
    nodes_[node].older = newest_;
    nodes_[node].newer = kNone;
    (newest_ == kNone ? oldest_ : nodes_[newest_].newer) = node;
    newest_ = node;
}

void HeldBlocks::unlink(std::uint32_t node) {
    const auto [block, older, newer] = nodes_[node];
    (older == kNone ? oldest_ : nodes_[older].newer) = newer;
    (newer == kNone ? newest_ : nodes_[newer].older) = older;
}

}  // namespace warmlane::prefix
