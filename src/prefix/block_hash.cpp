#include "warmlane/prefix/block_hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace warmlane::prefix {

/// Secret bytes as XXH3 takes them.
struct HashKey::Material {
    std::array<unsigned char, XXH3_SECRET_SIZE_MIN> bytes;

    BlockHash hash(const void* data, std::size_t size) const {
        return XXH3_64bits_withSecret(data, size, bytes.data(), bytes.size());
    }
    /// A block over its predecessor.
    BlockHash chain(BlockHash block, BlockHash predecessor) const {
        const std::array<BlockHash, 2> pair{block, predecessor};
        return hash(pair.data(), sizeof pair);
    }
};

HashKey::HashKey() = default;

HashKey HashKey::from_secret(std::string_view secret) {
    auto material = std::make_shared<Material>();
    // A stretch of 128-bit digests of the secret and a counter.
    for (std::size_t at = 0; at < material->bytes.size();) {
        const XXH128_hash_t digest = XXH3_128bits_withSeed(secret.data(), secret.size(), at);
        const std::size_t part = std::min(sizeof digest, material->bytes.size() - at);
        std::memcpy(material->bytes.data() + at, &digest, part);
        at += part;
    }
    HashKey key;
    key.material_ = std::move(material);
    return key;
}

HashKey HashKey::random() {
    auto material = std::make_shared<Material>();
    std::random_device system;
    for (unsigned char& byte : material->bytes) {
        byte = static_cast<unsigned char>(system());
    }
    HashKey key;
    key.material_ = std::move(material);
    return key;
}

BlockHasher::BlockHasher(HashKey key, BlockLimits limits) : key_(std::move(key)), limits_(limits) {}

namespace {

/// Hands out the bytes of a prompt block by block, in place where a block lies inside one run.
class BlockCutter {
public:
    BlockCutter(const Prompt& prompt, std::size_t block_bytes)
        : runs_(prompt.runs), left_(prompt.bytes), block_bytes_(block_bytes) {
        gathered_.reserve(block_bytes);
    }

    /// The next block, the last one short; valid until the next call. Not to be called after the last one.
    std::string_view next() {
        const std::size_t wanted = std::min(block_bytes_, left_);
        left_ -= wanted;
        skip_used_runs();
        if (runs_[run_].size() - at_ >= wanted) {
            const std::string_view block = runs_[run_].substr(at_, wanted);
            at_ += wanted;
            return block;
        }
        gathered_.clear();
        while (gathered_.size() < wanted) {
            skip_used_runs();
            const std::string_view part = runs_[run_].substr(at_, wanted - gathered_.size());
            gathered_.append(part);
            at_ += part.size();
        }
        return gathered_;
    }

private:
    void skip_used_runs() {
        while (at_ == runs_[run_].size()) {
            ++run_;
            at_ = 0;
        }
    }

    const std::vector<std::string_view>& runs_;
    std::size_t left_;
    const std::size_t block_bytes_;
    std::size_t run_ = 0;
    std::size_t at_ = 0;
    std::string gathered_;
};

void append_with_length(std::string& out, std::string_view text) {
    const std::uint64_t size = text.size();
    out.append(reinterpret_cast<const char*>(&size), sizeof size);
    out.append(text);
}

}  // namespace

std::vector<std::vector<BlockHash>> BlockHasher::hash(
    const std::vector<Prompt>& prompts, std::string_view model, std::string_view salt
) const {
    const HashKey::Material& material = *key_.material_;
    std::string start;
    append_with_length(start, model);
    append_with_length(start, salt);
    const BlockHash first = material.hash(start.data(), start.size());

    std::vector<std::vector<BlockHash>> chains(prompts.size());
    std::size_t left = limits_.blocks_max == 0 ? std::numeric_limits<std::size_t>::max() : limits_.blocks_max;
    for (std::size_t i = 0; i < prompts.size() && limits_.block_bytes != 0; ++i) {
        const std::size_t blocks = (prompts[i].bytes + limits_.block_bytes - 1) / limits_.block_bytes;
        chains[i].resize(std::min(blocks, left));
        left -= chains[i].size();
        BlockHash predecessor = first;
        BlockCutter cutter(prompts[i], limits_.block_bytes);
        for (BlockHash& hash : chains[i]) {
            const std::string_view block = cutter.next();
            predecessor = material.chain(material.hash(block.data(), block.size()), predecessor);
            hash = predecessor;
        }
    }
    return chains;
}

}  // namespace warmlane::prefix
