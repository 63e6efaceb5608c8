#include "warmlane/prefix/block_hash.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

namespace warmlane::prefix {
namespace {

using Chains = std::vector<std::vector<BlockHash>>;

Prompt whole(std::string_view text) {
    Prompt prompt;
    prompt.append(text);
    return prompt;
}

Chains hash(
    std::string_view text, std::string_view model = "m", std::string_view salt = {}, BlockLimits limits = {}
) {
    return BlockHasher(HashKey::from_secret("test"), limits).hash({whole(text)}, model, salt);
}

std::string random_text(std::size_t size, unsigned seed) {
    std::mt19937 random(seed);
    std::string text(size, ' ');
    for (char& c : text) {
        c = static_cast<char>('a' + random() % 26);
    }
    return text;
}

TEST_CASE("block hash: how many blocks a prompt has") {
    struct Row {
        const char* name;
        std::size_t bytes;
        std::size_t block_bytes;
        std::size_t blocks;
    };
    const Row rows[] = {
        {"nothing", 0, 256, 0},
        {"shorter than a block", 11, 256, 1},
        {"exactly one", 256, 256, 1},
        {"one byte more", 257, 256, 2},
        {"two and a tail", 600, 256, 3},
        {"smaller blocks", 600, 64, 10},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(
            hash(std::string(row.bytes, 'a'), "m", "", {.block_bytes = row.block_bytes}).at(0).size() ==
            row.blocks
        );
    }
}

TEST_CASE("block hash: equal blocks in a row have different hashes, since each folds in the one before") {
    const auto chain = hash(std::string(1'024, 'a')).at(0);
    CHECK(chain[0] != chain[1]);
    CHECK(chain[1] != chain[2]);
}

TEST_CASE("block hash: a longer prompt shares every full block of a shorter one") {
    const std::string text = random_text(900, 1);
    const auto shorter = hash(text.substr(0, 600)).at(0);
    const auto longer = hash(text).at(0);
    CHECK(longer[0] == shorter[0]);
    CHECK(longer[1] == shorter[1]);
    CHECK(longer[2] != shorter[2]);
}

TEST_CASE("block hash: a change changes its block and all after it, none before") {
    const std::string text = random_text(2'560, 2);
    const auto before = hash(text).at(0);
    for (std::size_t at = 0; at < text.size(); at += 97) {
        std::string changed = text;
        changed[at] ^= 1;
        const auto after = hash(changed).at(0);
        for (std::size_t k = 0; k < before.size(); ++k) {
            CAPTURE(at);
            CAPTURE(k);
            CHECK((after[k] == before[k]) == (k < at / 256));
        }
    }
}

TEST_CASE("block hash: where the runs are cut does not matter") {
    const std::string text = random_text(3'000, 3);
    const auto expected = hash(text);
    std::mt19937 random(4);
    for (int round = 0; round < 200; ++round) {
        Prompt prompt;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t size = 1 + random() % (round % 2 == 0 ? 20 : 700);
            prompt.append(std::string_view(text).substr(at, size));
            at += size;
        }
        CHECK(BlockHasher(HashKey::from_secret("test"), {}).hash({prompt}, "m", "") == expected);
    }
}

TEST_CASE("block hash: model and salt start different chains, and cannot be shifted into each other") {
    const std::string text(100, 'a');
    CHECK(hash(text, "ab", "c") != hash(text, "a", "bc"));
    CHECK(hash(text, "m", "") != hash(text, "", "m"));
    CHECK(hash(text, "m", "s1") != hash(text, "m", "s2"));
    CHECK(hash(text, "m") != hash(text, "n"));
}

TEST_CASE("block hash: keys") {
    const std::vector<Prompt> prompts{whole("hello")};
    const auto of = [&](const HashKey& key) { return BlockHasher(key, {}).hash(prompts, "m", ""); };
    CHECK(of(HashKey::from_secret("a")) == of(HashKey::from_secret("a")));
    CHECK(of(HashKey::from_secret("a")) != of(HashKey::from_secret("b")));
    CHECK(of(HashKey::from_secret("")) != of(HashKey::from_secret("a")));
    CHECK(of(HashKey::random()) != of(HashKey::random()));
}

TEST_CASE("block hash: the limit counts over all prompts") {
    const std::string text(600, 'a');
    const BlockHasher hasher(HashKey::from_secret("test"), {.block_bytes = 256, .blocks_max = 4});
    const auto chains = hasher.hash({whole(text), whole(text), whole(text)}, "m", "");
    CHECK(chains.at(0).size() == 3);
    CHECK(chains.at(1).size() == 1);
    CHECK(chains.at(2).empty());
    CHECK(hash(text, "m", "", {.block_bytes = 256, .blocks_max = 0}).at(0).size() == 3);
    CHECK(hash(text, "m", "", {.block_bytes = 0}).at(0).empty());
}

}  // namespace
}  // namespace warmlane::prefix
