#include "plugins/factories.hpp"

#include "warmlane/prefix/block_hash.hpp"
#include "warmlane/prefix/prefix_index.hpp"

#include <algorithm>
#include <cstdint>

namespace warmlane::plugins {
namespace {

/// Smaller blocks would cost memory without telling endpoints apart any better.
constexpr std::uint32_t kBlockTokensMin = 64;
constexpr std::uint32_t kBlockTokensMax = 65'536;
/// Blocks of one endpoint that are remembered at most, whatever the endpoint claims to hold.
constexpr std::uint32_t kCapacityMax = 4'194'304;

struct ApproxPrefixOptions {
    /// Each endpoint's capacity follows the size of its KV cache.
    bool auto_tune = true;
    std::uint32_t block_tokens = kBlockTokensMin;
    /// Blocks of a request that are looked at; 0 means all.
    std::uint32_t blocks_max = 2048;
    /// Blocks that an endpoint holds while its KV cache's size is not known or not followed.
    std::uint32_t capacity = 31'250;
    prefix::HashKey key = prefix::HashKey::random();
};

/// Believes that an endpoint holds the prompts that were sent to it, as far back as its cache reaches.
class ApproxPrefixCacheProducer final : public routing::DataProducer {
public:
    explicit ApproxPrefixCacheProducer(const ApproxPrefixOptions& options)
        : auto_tune_(options.auto_tune),
          block_tokens_(options.block_tokens),
          capacity_(options.capacity),
          hasher_(
              options.key,
              {std::size_t{options.block_tokens} * InferenceRequest::kBytesPerToken, options.blocks_max}
          ),
          index_(options.capacity) {}

    bool gives_prefix_match() const override { return true; }

    void prepare(InferenceRequest& request) const override {
        request.block_hashes = hasher_.hash(request.prompts, request.model, request.cache_salt);
    }

    void produce(const InferenceRequest& request, std::span<routing::Candidate> candidates) override {
        slots_.clear();
        for (const routing::Candidate& candidate : candidates) {
            slots_.push_back(candidate.endpoint->slot());
            follow_capacity(candidate);
        }
        matches_.assign(candidates.size(), 0);
        std::size_t total = 0;
        for (const std::vector<BlockHash>& chain : request.block_hashes) {
            index_.match(chain, slots_, matches_);
            total += chain.size();
        }
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            candidates[i].prefix_match = {matches_[i], static_cast<std::uint32_t>(total), block_tokens_};
        }
    }

    void on_picked(InferenceRequest& request, const Endpoint& endpoint) override {
        const std::uint32_t slot = endpoint.slot();
        request.held_blocks.assign(request.block_hashes.size(), 0);
        for (std::size_t i = 0; i < request.block_hashes.size(); ++i) {
            index_.match(request.block_hashes[i], {&slot, 1}, {&request.held_blocks[i], 1});
        }
        for (const std::vector<BlockHash>& chain : request.block_hashes) {
            index_.record(chain, slot);
        }
    }

    void on_unpicked(const InferenceRequest& request, const Endpoint& endpoint) override {
        const std::size_t prompts = std::min(request.held_blocks.size(), request.block_hashes.size());
        for (std::size_t i = 0; i < prompts; ++i) {
            index_.trim(request.block_hashes[i], request.held_blocks[i], endpoint.slot());
        }
    }

    void forget(const Endpoint& endpoint) override {
        index_.remove(endpoint.slot());
        index_.set_capacity(endpoint.slot(), capacity_);
    }

    std::size_t index_blocks(const Endpoint& endpoint) const override {
        return index_.blocks(endpoint.slot());
    }
    std::size_t index_bytes() const override { return index_.bytes(); }

private:
    /// The engine counts in its own blocks, the index in ours.
    void follow_capacity(const routing::Candidate& candidate) {
        const EndpointMetrics* metrics = candidate.metrics;
        if (!auto_tune_ || metrics == nullptr || !metrics->block_count || !metrics->block_tokens) {
            return;
        }
        const std::uint64_t engine_blocks = std::min<std::uint64_t>(*metrics->block_count, 1ULL << 31);
        const std::uint64_t blocks = engine_blocks * *metrics->block_tokens / block_tokens_;
        if (blocks == 0) {
            return;
        }
        const std::size_t capacity = std::min<std::uint64_t>(blocks, kCapacityMax);
        if (capacity != index_.capacity(candidate.endpoint->slot())) {
            index_.set_capacity(candidate.endpoint->slot(), capacity);
        }
    }

    const bool auto_tune_;
    const std::uint32_t block_tokens_;
    const std::uint32_t capacity_;
    const prefix::BlockHasher hasher_;

    prefix::PrefixIndex index_;
    // Scratch of `produce`, one entry per candidate.
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint32_t> matches_;
};

void read_block_tokens(JsonReader& parameters, ApproxPrefixOptions& options) {
    std::uint32_t tokens = 16;
    parameters.read("blockSize", tokens, 0, kBlockTokensMax);  // the older name
    parameters.read("blockSizeTokens", tokens, 0, kBlockTokensMax);
    if (!options.auto_tune && tokens == 0) {
        parameters.fail("blockSizeTokens", "must be at least 1 when autoTune is off");
    }
    options.block_tokens = std::max(tokens, kBlockTokensMin);
}

void read_blocks_max(JsonReader& parameters, ApproxPrefixOptions& options) {
    std::uint32_t tokens_max = 131'072;
    parameters.read("maxPrefixTokensToMatch", tokens_max);
    parameters.read("maxPrefixBlocksToMatch", options.blocks_max);
    if (tokens_max > 0) {
        options.blocks_max = std::max(tokens_max / options.block_tokens, 1U);
    }
}

}  // namespace

std::unique_ptr<routing::Plugin> make_approx_prefix_cache_producer(JsonReader& parameters) {
    ApproxPrefixOptions options;
    parameters.read("autoTune", options.auto_tune);
    read_block_tokens(parameters, options);
    read_blocks_max(parameters, options);
    parameters.read("lruCapacityPerServer", options.capacity, 1, kCapacityMax);
    std::string secret;
    parameters.read("hashSecret", secret);
    if (!secret.empty()) {
        options.key = prefix::HashKey::from_secret(secret);
    } else if (parameters.has("hashSecret")) {
        parameters.fail("hashSecret", "must be a string that is not empty");
    }
    return std::make_unique<ApproxPrefixCacheProducer>(options);
}

}  // namespace warmlane::plugins
