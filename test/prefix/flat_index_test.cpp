#include "prefix/flat_index.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <vector>

namespace warmlane::prefix {
namespace {

/// An index of ids whose hashes are written down beside it.
class Indexed {
public:
    bool insert(std::uint32_t id, std::uint64_t hash) {
        hashes_[id] = hash;
        const bool done = index.insert(hash, id, [this](std::uint32_t other) { return hashes_.at(other); });
        if (!done) {
            hashes_.erase(id);
        }
        return done;
    }
    void erase(std::uint32_t id) {
        index.erase(hashes_.at(id), id);
        hashes_.erase(id);
    }
    bool has(std::uint32_t id, std::uint64_t hash) const {
        return index.find(hash, [id](std::uint32_t other) { return other == id; }) == id;
    }
    const std::map<std::uint32_t, std::uint64_t>& hashes() const { return hashes_; }

    FlatIndex index;

private:
    std::map<std::uint32_t, std::uint64_t> hashes_;
};

}  // namespace

TEST_CASE("flat index: an empty one finds nothing") {
    const FlatIndex index;
    for (const std::uint64_t hash : {std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
        CHECK(index.guess(hash) == FlatIndex::kNone);
    }
}

TEST_CASE("flat index: ids are told apart where their hashes are the same") {
    Indexed ids;
    for (std::uint32_t id = 0; id < 60; ++id) {
        REQUIRE(ids.insert(id, 42));
    }
    for (std::uint32_t id = 0; id < 60; id += 2) {
        ids.erase(id);
    }
    for (std::uint32_t id = 0; id < 60; ++id) {
        CHECK(ids.has(id, 42) == (id % 2 == 1));
    }
}

TEST_CASE("flat index: hashes that are none are refused, and nothing is lost") {
    for (const std::uint64_t hash :
         {std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{0x1234'5678'9abc'def0}}) {
        CAPTURE(hash);
        Indexed ids;
        std::uint32_t taken = 0;
        while (taken < 1'000 && ids.insert(taken, hash)) {
            ++taken;
        }
        CHECK(taken == 63);
        for (std::uint32_t id = 0; id < taken; ++id) {
            CHECK(ids.has(id, hash));
        }
        CHECK_FALSE(ids.has(taken, hash));
        ids.erase(7);
        CHECK(ids.insert(1'000, hash));
        CHECK(ids.index.bytes() < 100'000);
    }
}

TEST_CASE("flat index: agrees with a map over random insertions and removals, through growth and splits") {
    Indexed ids;
    std::mt19937_64 random(5);
    std::vector<std::uint32_t> present;
    for (std::uint32_t id = 0; id < 60'000; ++id) {
        REQUIRE(ids.insert(id, random()));
        present.push_back(id);
        if (random() % 3 == 0) {
            std::swap(present[random() % present.size()], present.back());
            ids.erase(present.back());
            present.pop_back();
        }
    }
    std::size_t lost = 0;
    for (const auto& [id, hash] : ids.hashes()) {
        lost += ids.has(id, hash) ? 0 : 1;
    }
    CHECK(lost == 0);
    CHECK(ids.hashes().size() == present.size());
    CHECK(ids.index.bytes() < present.size() * 7);
    std::size_t found = 0;
    for (int i = 0; i < 10'000; ++i) {
        const std::uint64_t hash = random();
        found += ids.index.find(hash, [&](std::uint32_t id) { return ids.hashes().at(id) == hash; }) !=
                         FlatIndex::kNone
                     ? 1
                     : 0;
    }
    CHECK(found == 0);
    while (!present.empty()) {
        ids.erase(present.back());
        present.pop_back();
    }
    for (int i = 0; i < 10'000; ++i) {
        CHECK(ids.index.guess(random()) == FlatIndex::kNone);
    }
}

TEST_CASE("mixed: small numbers spread over all bits") {
    CHECK(mixed(0) == 0);
    std::uint64_t all = 0;
    std::uint64_t none = ~std::uint64_t{0};
    for (std::uint64_t x = 1; x < 200; ++x) {
        all |= mixed(x);
        none &= mixed(x);
    }
    CHECK(all == ~std::uint64_t{0});
    CHECK(none == 0);
}

}  // namespace warmlane::prefix
