#include "prefix/endpoint_group.hpp"

#include "prefix/prefetch.hpp"

#include <algorithm>
#include <bit>

namespace warmlane::prefix {
namespace {

/// Blocks that are brought near to the processor together before they are worked on.
constexpr std::size_t kBatch = 32;

std::uint64_t bit_mask(std::uint32_t bit) {
    return std::uint64_t{1} << bit;
}

}  // namespace

EndpointGroup::EndpointGroup(std::size_t capacity) : default_capacity_(capacity) {
    capacities_.fill(capacity);
}

std::uint64_t EndpointGroup::holders(BlockHash hash) const {
    const std::uint32_t block = blocks_.find(hash);
    return block == BlockTable::kNone ? 0 : blocks_[block].holders;
}

std::array<std::uint32_t, EndpointGroup::kEndpoints> EndpointGroup::match(
    std::span<const BlockHash> chain, std::uint64_t asked
) const {
    std::array<std::uint32_t, kEndpoints> held{};
    const auto set = [&held](std::uint64_t endpoints, std::size_t blocks) {
        for (; endpoints != 0; endpoints &= endpoints - 1) {
            held[static_cast<std::size_t>(std::countr_zero(endpoints))] = static_cast<std::uint32_t>(blocks);
        }
    };
    // Those that have held every block so far.
    std::uint64_t still = asked;
    for (std::size_t k = 0; k < chain.size(); ++k) {
        if (k % kBatch == 0) {
            look_ahead(chain.subspan(k, std::min(kBatch, chain.size() - k)));
        }
        const std::uint64_t lost = still & ~holders(chain[k]);
        set(lost, k);
        still &= ~lost;
        if (still == 0) {
            return held;
        }
    }
    set(still, chain.size());
    return held;
}

void EndpointGroup::record(std::span<const BlockHash> chain, std::uint32_t bit) {
    std::span<const BlockHash> left = chain.first(std::min(chain.size(), capacities_[bit]));
    // The tail first: so the head ends as the freshest, and what is evicted are tails.
    while (!left.empty()) {
        const std::span<const BlockHash> batch = left.last(std::min(kBatch, left.size()));
        left = left.first(left.size() - batch.size());
        look_ahead(batch, bit);
        for (std::size_t k = batch.size(); k-- > 0;) {
            touch(batch[k], bit);
        }
    }
}

void EndpointGroup::touch(BlockHash hash, std::uint32_t bit) {
    const std::uint32_t block = blocks_.find(hash);
    if (block != BlockTable::kNone && (blocks_[block].holders & bit_mask(bit)) != 0) {
        held_[bit].renew(block);
        return;
    }
    // What goes is not this block: the endpoint does not hold it.
    evict(bit, capacities_[bit] - 1);
    add(block, hash, bit);
}

/// Where a table is full, nothing more is recorded.
void EndpointGroup::add(std::uint32_t block, BlockHash hash, std::uint32_t bit) {
    const bool known = block != BlockTable::kNone;
    const std::uint32_t id = known ? block : blocks_.add({hash, 0});
    if (id == BlockTable::kNone) {
        return;
    }
    if (held_[bit].add(id)) {
        blocks_[id].holders |= bit_mask(bit);
    } else if (!known) {
        blocks_.remove(id);
    }
}

void EndpointGroup::drop(std::uint32_t block, std::uint32_t bit) {
    held_[bit].remove(block);
    std::uint64_t& left = blocks_[block].holders;
    left &= ~bit_mask(bit);
    if (left == 0) {
        blocks_.remove(block);
    }
}

void EndpointGroup::evict(std::uint32_t bit, std::size_t held_max) {
    while (held_[bit].size() > held_max) {
        drop(held_[bit].oldest(), bit);
    }
}

void EndpointGroup::trim(std::span<const BlockHash> chain, std::uint32_t bit) {
    for (const BlockHash hash : chain) {
        const std::uint32_t block = blocks_.find(hash);
        if (block != BlockTable::kNone && (blocks_[block].holders & bit_mask(bit)) != 0) {
            drop(block, bit);
        }
    }
}

void EndpointGroup::remove(std::uint32_t bit) {
    while (const std::size_t left = held_[bit].size()) {
        const std::size_t batch = std::min(kBatch, left);
        look_ahead_at_oldest(bit, batch);
        evict(bit, left - batch);
    }
    capacities_[bit] = default_capacity_;
}

void EndpointGroup::set_capacity(std::uint32_t bit, std::size_t capacity) {
    capacities_[bit] = capacity;
    evict(bit, capacity);
}

std::size_t EndpointGroup::bytes() const {
    std::size_t sum = sizeof(*this) + blocks_.bytes();
    for (const HeldBlocks& held : held_) {
        sum += held.bytes();
    }
    return sum;
}

void EndpointGroup::look_ahead(std::span<const BlockHash> chain) const {
    for (const BlockHash hash : chain) {
        blocks_.prefetch(hash);
    }
    for (const BlockHash hash : chain) {
        blocks_.prefetch_block(hash);
    }
}

void EndpointGroup::look_ahead(std::span<const BlockHash> chain, std::uint32_t bit) const {
    std::array<std::uint32_t, kBatch> likely{};
    for (const BlockHash hash : chain) {
        blocks_.prefetch(hash);
    }
    for (std::size_t k = 0; k < chain.size(); ++k) {
        likely[k] = blocks_.prefetch_block(chain[k]);
    }
    for (std::size_t k = 0; k < chain.size(); ++k) {
        if (likely[k] != BlockTable::kNone) {
            held_[bit].prefetch(likely[k]);
        }
    }
    for (std::size_t k = 0; k < chain.size(); ++k) {
        if (likely[k] != BlockTable::kNone) {
            held_[bit].prefetch_node(likely[k]);
        }
    }
    if (held_[bit].size() + chain.size() > capacities_[bit]) {
        look_ahead_at_oldest(bit, chain.size());
    }
}

void EndpointGroup::look_ahead_at_oldest(std::uint32_t bit, std::size_t count) const {
    held_[bit].visit_oldest(count, [&](std::uint32_t block) {
        prefix::prefetch(&blocks_[block]);
        held_[bit].prefetch(block);
    });
    held_[bit].visit_oldest(count, [&](std::uint32_t block) { blocks_.prefetch(blocks_[block].hash); });
}

}  // namespace warmlane::prefix
