#include "warmlane/prefix/prefix_index.hpp"

#include "block_lru.hpp"
#include "probe_table.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

namespace warmlane::prefix {
namespace {

/// Endpoints whose sets share a word, and so a table.
constexpr std::uint32_t kGroupSlots = 64;
constexpr std::uint32_t kSlotsMax = 1'024;
/// How many blocks the walk looks ahead.
constexpr std::size_t kPrefetchBlocks = 8;

struct Holders {
    BlockHash block = 0;
    /// One bit per endpoint of the group; a block that nobody holds has no entry.
    std::uint64_t set = 0;

    bool empty() const { return set == 0; }
};

constexpr auto kBlockOf = [](const Holders& holders) { return holders.block; };

std::uint64_t bit_of(std::uint32_t slot) {
    return std::uint64_t{1} << (slot % kGroupSlots);
}

}  // namespace

struct PrefixIndex::State {
    using Table = ProbeTable<Holders>;

    explicit State(std::size_t capacity) : default_capacity(capacity) {}

    Table* table_of(std::uint32_t slot) const {
        const std::size_t group = slot / kGroupSlots;
        return group < tables.size() ? tables[group].get() : nullptr;
    }
    BlockLru* lru_of(std::uint32_t slot) const { return slot < lrus.size() ? lrus[slot].get() : nullptr; }
    BlockLru& make_lru(std::uint32_t slot);
    void add_holder(BlockHash block, std::uint32_t slot);
    void remove_holder(BlockHash block, std::uint32_t slot);
    void evict(std::uint32_t slot);
    std::uint64_t holders(std::size_t group, BlockHash block) const;

    const std::size_t default_capacity;
    std::vector<std::unique_ptr<Table>> tables;
    std::vector<std::unique_ptr<BlockLru>> lrus;
};

BlockLru& PrefixIndex::State::make_lru(std::uint32_t slot) {
    assert(slot < kSlotsMax);
    if (slot >= lrus.size()) {
        lrus.resize(slot + 1);
    }
    if (!lrus[slot]) {
        lrus[slot] = std::make_unique<BlockLru>(default_capacity);
    }
    const std::size_t group = slot / kGroupSlots;
    while (tables.size() <= group) {
        tables.push_back(std::make_unique<Table>());
    }
    return *lrus[slot];
}

void PrefixIndex::State::add_holder(BlockHash block, std::uint32_t slot) {
    Table& table = *table_of(slot);
    if (Holders* known = table.find(block, kBlockOf)) {
        known->set |= bit_of(slot);
    } else {
        table.insert({block, bit_of(slot)}, kBlockOf);
    }
}

void PrefixIndex::State::remove_holder(BlockHash block, std::uint32_t slot) {
    Table& table = *table_of(slot);
    Holders* const known = table.find(block, kBlockOf);
    assert(known != nullptr && (known->set & bit_of(slot)) != 0);
    if (known->set == bit_of(slot)) {
        table.erase(block, kBlockOf);
    } else {
        known->set &= ~bit_of(slot);
    }
}

void PrefixIndex::State::evict(std::uint32_t slot) {
    while (const auto block = lrus[slot]->evict()) {
        remove_holder(*block, slot);
    }
}

std::uint64_t PrefixIndex::State::holders(std::size_t group, BlockHash block) const {
    const Holders* known = tables[group]->find(block, kBlockOf);
    return known == nullptr ? 0 : known->set;
}

PrefixIndex::PrefixIndex(std::size_t capacity)
    : state_(std::make_unique<State>(std::max<std::size_t>(1, capacity))) {}
PrefixIndex::~PrefixIndex() = default;
PrefixIndex::PrefixIndex(PrefixIndex&&) noexcept = default;
PrefixIndex& PrefixIndex::operator=(PrefixIndex&&) noexcept = default;

void PrefixIndex::match(
    std::span<const BlockHash> chain, std::span<const std::uint32_t> slots, std::span<std::uint32_t> match
) const {
    assert(slots.size() == match.size());
    for (std::size_t group = 0; group < state_->tables.size(); ++group) {
        // Those of the group that have held every block so far.
        std::uint64_t still = ~std::uint64_t{0};
        std::array<std::uint32_t, kGroupSlots> held{};
        for (std::size_t k = 0; k < chain.size() && still != 0; ++k) {
            if (k + kPrefetchBlocks < chain.size()) {
                state_->tables[group]->prefetch(chain[k + kPrefetchBlocks]);
            }
            const std::uint64_t lost = still & ~state_->holders(group, chain[k]);
            still &= ~lost;
            for (std::uint64_t bits = lost; bits != 0; bits &= bits - 1) {
                held[static_cast<std::size_t>(__builtin_ctzll(bits))] = static_cast<std::uint32_t>(k);
            }
        }
        for (std::uint64_t bits = still; bits != 0; bits &= bits - 1) {
            held[static_cast<std::size_t>(__builtin_ctzll(bits))] = static_cast<std::uint32_t>(chain.size());
        }
        for (std::size_t i = 0; i < slots.size(); ++i) {
            if (slots[i] / kGroupSlots == group) {
                match[i] += held[slots[i] % kGroupSlots];
            }
        }
    }
}

void PrefixIndex::record(std::span<const BlockHash> chain, std::uint32_t slot) {
    BlockLru& lru = state_->make_lru(slot);
    const std::span<const BlockHash> kept = chain.first(std::min(chain.size(), lru.capacity()));
    // The tail first: so the head ends as the freshest, and what is evicted are tails.
    for (std::size_t k = kept.size(); k-- > 0;) {
        if (!lru.touch(kept[k])) {
            state_->add_holder(kept[k], slot);
            state_->evict(slot);
        }
    }
}

void PrefixIndex::trim(std::span<const BlockHash> chain, std::size_t first, std::uint32_t slot) {
    BlockLru* const lru = state_->lru_of(slot);
    for (std::size_t k = first; lru != nullptr && k < chain.size(); ++k) {
        if (lru->remove(chain[k])) {
            state_->remove_holder(chain[k], slot);
        }
    }
}

void PrefixIndex::remove(std::uint32_t slot) {
    BlockLru* const lru = state_->lru_of(slot);
    if (lru != nullptr) {
        lru->for_each([this, slot](BlockHash block) { state_->remove_holder(block, slot); });
        state_->lrus[slot].reset();
    }
}

void PrefixIndex::set_capacity(std::uint32_t slot, std::size_t capacity) {
    state_->make_lru(slot).set_capacity(std::max<std::size_t>(1, capacity));
    state_->evict(slot);
}

std::size_t PrefixIndex::capacity(std::uint32_t slot) const {
    const BlockLru* lru = state_->lru_of(slot);
    return lru == nullptr ? state_->default_capacity : lru->capacity();
}

std::size_t PrefixIndex::blocks(std::uint32_t slot) const {
    const BlockLru* lru = state_->lru_of(slot);
    return lru == nullptr ? 0 : lru->size();
}

std::size_t PrefixIndex::blocks() const {
    // Endpoints of different groups may hold the same block; it counts once per group.
    std::size_t sum = 0;
    for (const auto& table : state_->tables) {
        sum += table->size();
    }
    return sum;
}

std::size_t PrefixIndex::bytes() const {
    std::size_t sum = 0;
    for (const auto& table : state_->tables) {
        sum += table->bytes();
    }
    for (const auto& lru : state_->lrus) {
        sum += lru ? lru->bytes() : 0;
    }
    return sum;
}

}  // namespace warmlane::prefix
