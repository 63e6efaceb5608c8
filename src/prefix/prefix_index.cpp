#include "warmlane/prefix/prefix_index.hpp"

#include "prefix/endpoint_group.hpp"

#include <algorithm>
#include <cassert>
#include <vector>

namespace warmlane::prefix {
namespace {

constexpr std::uint32_t kSlotsMax = 1'024;
constexpr std::uint32_t kGroupSlots = EndpointGroup::kEndpoints;

}  // namespace

/// Endpoints in groups whose sets fit one word. An endpoint's match ends where it lacks a block, whatever
/// those of other groups hold, and so groups need not know of each other.
struct PrefixIndex::State {
    explicit State(std::size_t capacity) : default_capacity(capacity) {}

    EndpointGroup* group_of(std::uint32_t slot) const {
        const std::size_t group = slot / kGroupSlots;
        return group < groups.size() ? groups[group].get() : nullptr;
    }
    EndpointGroup& make_group(std::uint32_t slot) {
        assert(slot < kSlotsMax);
        while (groups.size() <= slot / kGroupSlots) {
            groups.push_back(std::make_unique<EndpointGroup>(default_capacity));
        }
        return *groups[slot / kGroupSlots];
    }

    const std::size_t default_capacity;
    std::vector<std::unique_ptr<EndpointGroup>> groups;
};

PrefixIndex::PrefixIndex(std::size_t capacity)
    : state_(std::make_unique<State>(std::max<std::size_t>(1, capacity))) {}
PrefixIndex::~PrefixIndex() = default;
PrefixIndex::PrefixIndex(PrefixIndex&&) noexcept = default;
PrefixIndex& PrefixIndex::operator=(PrefixIndex&&) noexcept = default;

void PrefixIndex::match(
    std::span<const BlockHash> chain, std::span<const std::uint32_t> slots, std::span<std::uint32_t> match
) const {
    assert(slots.size() == match.size());
    for (std::size_t group = 0; group < state_->groups.size(); ++group) {
        std::uint64_t asked = 0;
        for (const std::uint32_t slot : slots) {
            asked |= slot / kGroupSlots == group ? std::uint64_t{1} << (slot % kGroupSlots) : 0;
        }
        if (asked == 0) {
            continue;
        }
        const auto held = state_->groups[group]->match(chain, asked);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            match[i] += slots[i] / kGroupSlots == group ? held[slots[i] % kGroupSlots] : 0;
        }
    }
}

void PrefixIndex::record(std::span<const BlockHash> chain, std::uint32_t slot) {
    state_->make_group(slot).record(chain, slot % kGroupSlots);
}

void PrefixIndex::trim(std::span<const BlockHash> chain, std::size_t first, std::uint32_t slot) {
    EndpointGroup* const group = state_->group_of(slot);
    if (group != nullptr && first < chain.size()) {
        group->trim(chain.subspan(first), slot % kGroupSlots);
    }
}

void PrefixIndex::remove(std::uint32_t slot) {
    if (EndpointGroup* const group = state_->group_of(slot)) {
        group->remove(slot % kGroupSlots);
    }
}

void PrefixIndex::set_capacity(std::uint32_t slot, std::size_t capacity) {
    state_->make_group(slot).set_capacity(slot % kGroupSlots, std::max<std::size_t>(1, capacity));
}

std::size_t PrefixIndex::capacity(std::uint32_t slot) const {
    const EndpointGroup* const group = state_->group_of(slot);
    return group == nullptr ? state_->default_capacity : group->capacity(slot % kGroupSlots);
}

std::size_t PrefixIndex::blocks(std::uint32_t slot) const {
    const EndpointGroup* const group = state_->group_of(slot);
    return group == nullptr ? 0 : group->blocks(slot % kGroupSlots);
}

std::size_t PrefixIndex::blocks() const {
    std::size_t sum = 0;
    for (const auto& group : state_->groups) {
        sum += group->blocks();
    }
    return sum;
}

std::size_t PrefixIndex::bytes() const {
    std::size_t sum = sizeof(State);
    for (const auto& group : state_->groups) {
        sum += group->bytes();
    }
    return sum;
}

}  // namespace warmlane::prefix
