#pragma once

#include "warmlane/core/prefix_match.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <set>
#include <span>

namespace warmlane::prefix {

/// The two maps of the design, written down in the plainest way: what the real index must agree with.
class NaiveIndex {
public:
    explicit NaiveIndex(std::size_t capacity) : default_capacity_(capacity) {}

    std::uint32_t match(std::span<const BlockHash> chain, std::uint32_t slot) const {
        std::uint32_t matched = 0;
        for (const BlockHash block : chain) {
            const auto holders = hash_to_endpoints_.find(block);
            if (holders == hash_to_endpoints_.end() || !holders->second.contains(slot)) {
                break;
            }
            ++matched;
        }
        return matched;
    }

    void record(std::span<const BlockHash> chain, std::uint32_t slot) {
        const auto kept = chain.first(std::min(chain.size(), capacity(slot)));
        for (std::size_t k = kept.size(); k-- > 0;) {
            forget(kept[k], slot);
            endpoint_to_lru_[slot].push_front(kept[k]);
            hash_to_endpoints_[kept[k]].insert(slot);
            evict(slot);
        }
    }

    void trim(std::span<const BlockHash> chain, std::size_t first, std::uint32_t slot) {
        for (std::size_t k = first; k < chain.size(); ++k) {
            forget(chain[k], slot);
        }
    }

    void remove(std::uint32_t slot) {
        while (!endpoint_to_lru_[slot].empty()) {
            forget(endpoint_to_lru_[slot].back(), slot);
        }
        capacities_.erase(slot);
    }

    void set_capacity(std::uint32_t slot, std::size_t capacity) {
        capacities_[slot] = capacity;
        evict(slot);
    }

    std::size_t blocks(std::uint32_t slot) const {
        const auto lru = endpoint_to_lru_.find(slot);
        return lru == endpoint_to_lru_.end() ? 0 : lru->second.size();
    }
    std::size_t blocks() const { return hash_to_endpoints_.size(); }

private:
    std::size_t capacity(std::uint32_t slot) const {
        const auto own = capacities_.find(slot);
        return own == capacities_.end() ? default_capacity_ : own->second;
    }
    void forget(BlockHash block, std::uint32_t slot) {
        auto& lru = endpoint_to_lru_[slot];
        const auto place = std::find(lru.begin(), lru.end(), block);
        if (place == lru.end()) {
            return;
        }
        lru.erase(place);
        auto holders = hash_to_endpoints_.find(block);
        holders->second.erase(slot);
        if (holders->second.empty()) {
            hash_to_endpoints_.erase(holders);
        }
    }
    void evict(std::uint32_t slot) {
        while (endpoint_to_lru_[slot].size() > capacity(slot)) {
            forget(endpoint_to_lru_[slot].back(), slot);
        }
    }

    const std::size_t default_capacity_;
    std::map<BlockHash, std::set<std::uint32_t>> hash_to_endpoints_;
    std::map<std::uint32_t, std::list<BlockHash>> endpoint_to_lru_;
    std::map<std::uint32_t, std::size_t> capacities_;
};

}  // namespace warmlane::prefix
