#pragma once

#include "prefix/block_table.hpp"
#include "prefix/held_blocks.hpp"

#include "warmlane/core/prefix_match.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace warmlane::prefix {

/// The index of up to 64 endpoints, whose sets fit one word. Endpoints go by their bit.
class EndpointGroup {
public:
    static constexpr std::uint32_t kEndpoints = 64;

    explicit EndpointGroup(std::size_t capacity);

    /// Leading blocks of `chain` that each endpoint in `asked` holds without a gap, by bit.
    std::array<std::uint32_t, kEndpoints> match(std::span<const BlockHash> chain, std::uint64_t asked) const;

    void record(std::span<const BlockHash> chain, std::uint32_t bit);
    void trim(std::span<const BlockHash> chain, std::uint32_t bit);
    /// Forgets everything of one endpoint, its capacity too.
    void remove(std::uint32_t bit);

    void set_capacity(std::uint32_t bit, std::size_t capacity);
    std::size_t capacity(std::uint32_t bit) const { return capacities_[bit]; }

    std::size_t blocks(std::uint32_t bit) const { return held_[bit].size(); }
    std::size_t blocks() const { return blocks_.size(); }
    std::size_t bytes() const;

private:
    std::uint64_t holders(BlockHash hash) const;
    void touch(BlockHash hash, std::uint32_t bit);
    void add(std::uint32_t block, BlockHash hash, std::uint32_t bit);
    void drop(std::uint32_t block, std::uint32_t bit);
    void evict(std::uint32_t bit, std::size_t held_max);

    void look_ahead(std::span<const BlockHash> chain) const;
    void look_ahead(std::span<const BlockHash> chain, std::uint32_t bit) const;
    void look_ahead_at_oldest(std::uint32_t bit, std::size_t count) const;

    BlockTable blocks_;
    std::array<HeldBlocks, kEndpoints> held_;
    const std::size_t default_capacity_;
    std::array<std::size_t, kEndpoints> capacities_{};
};

}  // namespace warmlane::prefix
