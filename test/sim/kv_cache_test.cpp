#include "sim/kv_cache.hpp"

#include <doctest/doctest.h>

namespace warmlane::sim {
namespace {

const std::vector<BlockHash> kHashes = {11, 22, 33, 44};

/// Takes blocks for the first `count` of `kHashes` and makes them findable.
std::vector<BlockId> fill(KvCache& cache, std::uint32_t count) {
    std::vector<BlockId> held;
    REQUIRE(cache.take({}, count, held));
    for (std::uint32_t i = 0; i < count; ++i) {
        cache.publish(held[i], kHashes[i]);
    }
    return held;
}

}  // namespace

TEST_CASE("kv cache: a match ends at the first block that is not cached") {
    KvCache cache(8);
    fill(cache, 3);
    CHECK(cache.match(kHashes) == 3);
    const std::vector<BlockHash> gap = {11, 99, 33};
    CHECK(cache.match(gap) == 1);
    CHECK(cache.match({}) == 0);
}

TEST_CASE("kv cache: a shared block is free again after its last holder") {
    KvCache cache(8);
    std::vector<BlockId> first = fill(cache, 2);
    std::vector<BlockId> second;
    REQUIRE(cache.take(std::span(kHashes).first(2), 1, second));
    CHECK(second[0] == first[0]);
    CHECK(cache.free_count() == 5);
    cache.release(first);
    CHECK(cache.free_count() == 5);
    cache.release(second);
    CHECK(cache.free_count() == 8);
    CHECK(cache.match(kHashes) == 2);
}

TEST_CASE("kv cache: taking more than is free changes nothing") {
    KvCache cache(4);
    std::vector<BlockId> held = fill(cache, 3);
    cache.release(held);
    std::vector<BlockId> more;
    // Two are shared, so only two are left for fresh ones.
    CHECK_FALSE(cache.take(std::span(kHashes).first(2), 3, more));
    CHECK(more.empty());
    CHECK(cache.free_count() == 4);
    CHECK(cache.match(kHashes) == 3);
    CHECK(cache.take(std::span(kHashes).first(2), 2, more));
    CHECK(more.size() == 4);
    CHECK(cache.free_count() == 0);
}

TEST_CASE("kv cache: blocks without findable contents go first, then tails, then heads") {
    KvCache cache(4);
    std::vector<BlockId> held = fill(cache, 3);
    cache.release(held);
    const std::uint32_t matches[] = {3, 2, 1, 0};
    for (std::uint32_t taken = 0; taken < 4; ++taken) {
        CAPTURE(taken);
        std::vector<BlockId> one;
        REQUIRE(cache.take({}, 1, one));
        CHECK(cache.match(kHashes) == matches[taken]);
    }
    CHECK(cache.evicted_count() == 3);
}

TEST_CASE("kv cache: contents that are cached already are not findable twice") {
    KvCache cache(4);
    std::vector<BlockId> first = fill(cache, 1);
    std::vector<BlockId> second = fill(cache, 1);
    CHECK(cache.cached_count() == 1);
    cache.release(second);
    cache.release(first);
    std::vector<BlockId> found;
    REQUIRE(cache.take(std::span(kHashes).first(1), 0, found));
    CHECK(found.size() == 1);
    CHECK(cache.free_count() == 3);
}

TEST_CASE("kv cache: forgetting leaves held blocks held") {
    KvCache cache(4);
    std::vector<BlockId> held = fill(cache, 2);
    cache.forget_all();
    CHECK(cache.match(kHashes) == 0);
    CHECK(cache.free_count() == 2);
    cache.release(held);
    CHECK(cache.free_count() == 4);
    CHECK(cache.cached_count() == 0);
}

}  // namespace warmlane::sim
