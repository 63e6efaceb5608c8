#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace warmlane::prefix {

/// A hash table with linear probing and no tombstones, cut into shards by the top bits of the hash, so that
/// growth never moves more than one shard at a time. Hashes are used as they are: they are random already.
///
/// `Slot` is a small value with `bool empty() const`; a default one is empty. Where a slot's hash is found is
/// said by a functor that each call gets, so that a slot need not hold it.
template <class Slot>
class ProbeTable {
public:
    /// Null when no slot has this hash. Valid until the next insert or erase.
    template <class HashOf>
    Slot* find(std::uint64_t hash, HashOf hash_of) {
        return const_cast<Slot*>(std::as_const(*this).find(hash, hash_of));
    }
    template <class HashOf>
    const Slot* find(std::uint64_t hash, HashOf hash_of) const {
        const Shard& shard = shards_[shard_of(hash)];
        if (shard.slots.empty()) {
            return nullptr;
        }
        for (std::size_t i = home(hash, shard.slots.size());; i = next(i, shard.slots.size())) {
            if (shard.slots[i].empty()) {
                return nullptr;
            }
            if (hash_of(shard.slots[i]) == hash) {
                return &shard.slots[i];
            }
        }
    }

    /// Adds a slot whose hash is not there yet.
    template <class HashOf>
    void insert(Slot slot, HashOf hash_of) {
        Shard& shard = shards_[shard_of(hash_of(slot))];
        if ((shard.used + 1) * 4 > shard.slots.size() * 3) {
            grow(shard, hash_of);
        }
        place(shard.slots, slot, hash_of);
        ++shard.used;
    }

    /// Removes the slot of this hash, if there is one.
    template <class HashOf>
    void erase(std::uint64_t hash, HashOf hash_of) {
        Slot* const found = find(hash, hash_of);
        if (found == nullptr) {
            return;
        }
        Shard& shard = shards_[shard_of(hash)];
        std::vector<Slot>& slots = shard.slots;
        auto hole = static_cast<std::size_t>(found - slots.data());
        // What comes behind moves up, unless that would put it before its home.
        for (std::size_t i = next(hole, slots.size()); !slots[i].empty(); i = next(i, slots.size())) {
            const std::size_t wanted = home(hash_of(slots[i]), slots.size());
            const bool may_move = hole <= i ? wanted <= hole || wanted > i : wanted <= hole && wanted > i;
            if (may_move) {
                slots[hole] = slots[i];
                hole = i;
            }
        }
        slots[hole] = Slot{};
        --shard.used;
    }

    /// Brings the place where a hash would stand nearer to the processor.
    void prefetch(std::uint64_t hash) const {
        const Shard& shard = shards_[shard_of(hash)];
        if (!shard.slots.empty()) {
            __builtin_prefetch(&shard.slots[home(hash, shard.slots.size())]);
        }
    }

    std::size_t size() const {
        std::size_t sum = 0;
        for (const Shard& shard : shards_) {
            sum += shard.used;
        }
        return sum;
    }
    std::size_t bytes() const {
        std::size_t sum = sizeof(*this);
        for (const Shard& shard : shards_) {
            sum += shard.slots.capacity() * sizeof(Slot);
        }
        return sum;
    }

private:
    static constexpr unsigned kShardBits = 8;
    static constexpr std::size_t kFirstSlots = 8;

    struct Shard {
        std::vector<Slot> slots;
        std::size_t used = 0;
    };

    static std::size_t shard_of(std::uint64_t hash) { return hash >> (64 - kShardBits); }
    static std::size_t next(std::size_t i, std::size_t size) { return i + 1 == size ? 0 : i + 1; }
    /// The hash without its shard bits, scaled to the number of slots.
    static std::size_t home(std::uint64_t hash, std::size_t size) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::size_t>((static_cast<Wide>(hash << kShardBits) * size) >> 64);
    }

    template <class HashOf>
    static void place(std::vector<Slot>& slots, Slot slot, HashOf hash_of) {
        std::size_t i = home(hash_of(slot), slots.size());
        while (!slots[i].empty()) {
            i = next(i, slots.size());
        }
        slots[i] = slot;
    }

    template <class HashOf>
    static void grow(Shard& shard, HashOf hash_of) {
        // A quarter more at a time keeps the table between 60 and 75 per cent full.
        std::vector<Slot> larger(std::max(kFirstSlots, shard.slots.size() + shard.slots.size() / 4));
        for (const Slot& slot : shard.slots) {
            if (!slot.empty()) {
                place(larger, slot, hash_of);
            }
        }
        shard.slots = std::move(larger);
    }

    std::array<Shard, std::size_t{1} << kShardBits> shards_;
};

}  // namespace warmlane::prefix
