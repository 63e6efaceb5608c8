#pragma once

#include "warmlane/core/prefix_match.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace warmlane::prefix {

/// Who holds which block: a table from block to the set of endpoints, and for each endpoint a bounded LRU
/// that owns eviction. A block is in the table for an endpoint exactly when it is in that endpoint's LRU.
/// Endpoints are named by their slot (`Endpoint::slot`), below 1,024. Not thread-safe.
///
/// A block takes about 21 bytes, and 18 more for each endpoint that holds it. Where an endpoint holds 16
/// million blocks, or 64 endpoints as many different ones, nothing more is recorded.
class PrefixIndex {
public:
    /// `capacity` is the number of blocks that an endpoint holds at most until `set_capacity` says otherwise.
    explicit PrefixIndex(std::size_t capacity);
    ~PrefixIndex();
    PrefixIndex(PrefixIndex&&) noexcept;
    PrefixIndex& operator=(PrefixIndex&&) noexcept;

    /// Adds to `match[i]` the number of leading blocks of `chain` that the endpoint in `slots[i]` holds
    /// without a gap. The walk ends at the first block that nobody holds. Does not touch the LRU order.
    void match(
        std::span<const BlockHash> chain, std::span<const std::uint32_t> slots, std::span<std::uint32_t> match
    ) const;

    /// The endpoint now holds every block of `chain`, the head most recently used and the tail least, so that
    /// tails are evicted before heads. Of a chain longer than the capacity only the head is kept.
    void record(std::span<const BlockHash> chain, std::uint32_t slot);

    /// Forgets the blocks of `chain` from position `first` on, for one endpoint.
    void trim(std::span<const BlockHash> chain, std::size_t first, std::uint32_t slot);

    /// Forgets everything of one endpoint, its capacity too, in time proportional to what it holds.
    void remove(std::uint32_t slot);

    /// Changes an endpoint's capacity; evicts at once when it holds more. At least 1.
    void set_capacity(std::uint32_t slot, std::size_t capacity);
    std::size_t capacity(std::uint32_t slot) const;

    /// Blocks that one endpoint holds.
    std::size_t blocks(std::uint32_t slot) const;
    /// Distinct blocks of all endpoints; one that is held in several groups of 64 slots counts in each.
    std::size_t blocks() const;
    /// Memory in use, estimated from the sizes of the tables.
    std::size_t bytes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warmlane::prefix
