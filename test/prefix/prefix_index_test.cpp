#include "warmlane/prefix/prefix_index.hpp"

#include "naive_index.hpp"

#include <doctest/doctest.h>

#include <array>
#include <random>
#include <span>
#include <vector>

namespace warmlane::prefix {
namespace {

using Chain = std::vector<BlockHash>;

std::uint32_t matched(const PrefixIndex& index, std::span<const BlockHash> chain, std::uint32_t slot) {
    const std::array<std::uint32_t, 1> slots{slot};
    std::array<std::uint32_t, 1> match{};
    index.match(chain, slots, match);
    return match[0];
}

/// Hashes as they come out of a chain: one for each position of one of a few conversations.
BlockHash block(std::uint64_t conversation, std::uint64_t position) {
    std::uint64_t x = conversation * 0x9e37'79b9'7f4a'7c15 + position * 0xbf58'476d'1ce4'e5b9 + 1;
    x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9;
    x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11eb;
    return x ^ (x >> 31);
}

Chain chain_of(std::uint64_t conversation, std::size_t length) {
    Chain chain;
    for (std::size_t k = 0; k < length; ++k) {
        chain.push_back(block(conversation, k));
    }
    return chain;
}

TEST_CASE("prefix index: five blocks, A holds 0-1, B holds 0-2, nobody holds the rest") {
    constexpr std::uint32_t kA = 0;
    constexpr std::uint32_t kB = 1;
    PrefixIndex index(100);
    const Chain prompt = chain_of(1, 5);
    index.record(chain_of(1, 2), kA);
    index.record(chain_of(1, 3), kB);

    CHECK(matched(index, prompt, kA) == 2);
    CHECK(matched(index, prompt, kB) == 3);
    index.record(prompt, kB);
    CHECK(matched(index, prompt, kA) == 2);
    CHECK(matched(index, prompt, kB) == 5);
}

TEST_CASE("prefix index: a chain that parts matches up to where it parts") {
    PrefixIndex index(100);
    index.record(Chain{1, 2}, 0);
    CHECK(matched(index, Chain{1, 3}, 0) == 1);
    CHECK(matched(index, Chain{3, 1}, 0) == 0);
    CHECK(matched(index, Chain{}, 0) == 0);
}

TEST_CASE("prefix index: matches of several prompts add up") {
    PrefixIndex index(100);
    index.record(Chain{1, 2, 3}, 0);
    index.record(Chain{4, 5}, 0);
    const std::array<std::uint32_t, 2> slots{0, 1};
    std::array<std::uint32_t, 2> match{};
    index.match(Chain{1, 2, 3}, slots, match);
    index.match(Chain{4, 5}, slots, match);
    CHECK(match[0] == 5);
    CHECK(match[1] == 0);
}

TEST_CASE("prefix index: the block used longest ago goes first") {
    PrefixIndex index(2);
    index.record(Chain{1}, 0);
    index.record(Chain{2}, 0);
    index.record(Chain{1}, 0);
    index.record(Chain{3}, 0);
    CHECK(matched(index, Chain{1}, 0) == 1);
    CHECK(matched(index, Chain{2}, 0) == 0);
    CHECK(matched(index, Chain{3}, 0) == 1);
    CHECK(index.blocks(0) == 2);
}

TEST_CASE("prefix index: tails are evicted before heads") {
    PrefixIndex index(6);
    index.record(chain_of(1, 6), 0);
    index.record(chain_of(2, 2), 0);
    CHECK(matched(index, chain_of(1, 6), 0) == 4);
    CHECK(matched(index, chain_of(2, 2), 0) == 2);
}

TEST_CASE("prefix index: of a prompt longer than the whole LRU the head stays, and nothing is left behind") {
    PrefixIndex index(4);
    index.record(chain_of(1, 10), 0);
    CHECK(matched(index, chain_of(1, 10), 0) == 4);
    CHECK(index.blocks(0) == 4);
    CHECK(index.blocks() == 4);
    index.remove(0);
    CHECK(index.blocks() == 0);
    CHECK(matched(index, chain_of(1, 10), 0) == 0);
}

TEST_CASE("prefix index: an endpoint that lost block 0 has no match, whatever else it holds") {
    PrefixIndex index(100);
    index.record(chain_of(1, 6), 0);
    index.record(chain_of(1, 1), 1);
    index.trim(Chain{block(1, 0)}, 0, 0);
    CHECK(matched(index, chain_of(1, 6), 0) == 0);
    CHECK(matched(index, chain_of(1, 6), 1) == 1);
}

TEST_CASE("prefix index: trim forgets from a position on") {
    PrefixIndex index(100);
    index.record(chain_of(1, 6), 0);
    index.trim(chain_of(1, 6), 2, 0);
    CHECK(matched(index, chain_of(1, 6), 0) == 2);
    CHECK(index.blocks(0) == 2);
}

TEST_CASE("prefix index: a smaller capacity evicts at once") {
    PrefixIndex index(100);
    index.record(chain_of(1, 50), 3);
    index.set_capacity(3, 10);
    CHECK(index.blocks(3) == 10);
    CHECK(matched(index, chain_of(1, 50), 3) == 10);
    CHECK(index.capacity(3) == 10);
    CHECK(index.capacity(4) == 100);
}

TEST_CASE("prefix index: a thousand endpoints do not disturb each other") {
    PrefixIndex index(100);
    for (std::uint32_t slot = 0; slot < 1'024; ++slot) {
        index.record(chain_of(1, 1 + slot % 7), slot);
    }
    for (std::uint32_t slot = 0; slot < 1'024; ++slot) {
        CHECK(matched(index, chain_of(1, 7), slot) == 1 + slot % 7);
    }
    for (std::uint32_t slot = 0; slot < 1'024; slot += 2) {
        index.remove(slot);
    }
    CHECK(matched(index, chain_of(1, 7), 64) == 0);
    CHECK(matched(index, chain_of(1, 7), 65) == 1 + 65 % 7);
}

TEST_CASE("prefix index: remove forgets the capacity too") {
    PrefixIndex index(100);
    index.set_capacity(3, 10);
    index.record(chain_of(1, 50), 3);
    index.remove(3);
    CHECK(index.blocks(3) == 0);
    CHECK(index.capacity(3) == 100);
}

TEST_CASE("prefix index: endpoints that nothing is known of hold nothing") {
    PrefixIndex index(100);
    index.record(chain_of(1, 5), 2);
    CHECK(matched(index, chain_of(1, 5), 900) == 0);
    CHECK(index.blocks(900) == 0);
    index.trim(chain_of(1, 5), 0, 900);
    index.trim(chain_of(1, 5), 9, 2);
    index.remove(900);
    CHECK(matched(index, chain_of(1, 5), 2) == 5);
}

TEST_CASE("prefix index: a slot that is asked for twice is answered twice") {
    PrefixIndex index(100);
    index.record(chain_of(1, 5), 2);
    const std::array<std::uint32_t, 3> slots{2, 66, 2};
    std::array<std::uint32_t, 3> match{};
    index.match(chain_of(1, 7), slots, match);
    CHECK(match == std::array<std::uint32_t, 3>{5, 0, 5});
}

TEST_CASE("prefix index: as many blocks as make its tables grow and split") {
    constexpr std::uint64_t kChains = 400;
    constexpr std::size_t kLength = 250;
    PrefixIndex index(kChains * kLength);
    for (std::uint64_t i = 0; i < kChains; ++i) {
        index.record(chain_of(i, kLength), 5);
        index.record(chain_of(i, kLength / 2), 6);
    }
    CHECK(index.blocks() == kChains * kLength);
    CHECK(index.blocks(6) == kChains * kLength / 2);
    const std::size_t bytes = index.bytes();
    CHECK(bytes < kChains * kLength * (22 + 19) + kChains * kLength / 2 * 19);

    index.set_capacity(5, kChains * kLength / 4);
    std::size_t held = 0;
    for (std::uint64_t i = 0; i < kChains; ++i) {
        held += matched(index, chain_of(i, kLength), 5);
        CHECK(matched(index, chain_of(i, kLength), 6) == kLength / 2);
    }
    // The last quarter of the chains is held whole.
    CHECK(held == kChains * kLength / 4);
    CHECK(matched(index, chain_of(kChains - 1, kLength), 5) == kLength);

    // Memory does not grow while blocks come and go.
    for (std::uint64_t i = 0; i < kChains; ++i) {
        index.record(chain_of(kChains + i, kLength), 5);
    }
    CHECK(index.bytes() <= bytes + bytes / 10);
    index.remove(5);
    index.remove(6);
    CHECK(index.blocks() == 0);
}

TEST_CASE("prefix index: agrees with the naive model over a million random operations") {
    constexpr std::size_t kCapacity = 10;
    constexpr std::size_t kLongest = 7;
    const std::array<std::uint32_t, 5> slots{0, 1, 63, 64, 1'023};
    std::vector<Chain> conversations;
    conversations.reserve(8);
    for (std::uint64_t i = 0; i < 8; ++i) {
        conversations.push_back(chain_of(i, kLongest));
    }
    std::mt19937_64 random(7);
    PrefixIndex index(kCapacity);
    NaiveIndex naive(kCapacity);
    std::size_t disagreements = 0;
    for (int step = 0; step < 1'000'000; ++step) {
        const std::uint32_t slot = slots[random() % slots.size()];
        const auto chain =
            std::span(conversations[random() % conversations.size()]).first(random() % (kLongest + 1));
        const auto choice = random() % 100;
        if (choice < 45) {
            disagreements += matched(index, chain, slot) != naive.match(chain, slot) ? 1 : 0;
        } else if (choice < 90) {
            index.record(chain, slot);
            naive.record(chain, slot);
        } else if (choice < 97) {
            const std::size_t first = random() % kLongest;
            index.trim(chain, first, slot);
            naive.trim(chain, first, slot);
        } else if (choice < 98) {
            index.remove(slot);
            naive.remove(slot);
        } else {
            const std::size_t capacity = 1 + random() % 14;
            index.set_capacity(slot, capacity);
            naive.set_capacity(slot, capacity);
        }
        disagreements += index.blocks(slot) != naive.blocks(slot) ? 1 : 0;
    }
    CHECK(disagreements == 0);
    for (const std::uint32_t slot : slots) {
        index.remove(slot);
    }
    CHECK(index.blocks() == 0);
}

}  // namespace
}  // namespace warmlane::prefix
