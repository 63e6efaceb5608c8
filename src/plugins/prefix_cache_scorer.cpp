#include "plugins/factories.hpp"

#include <algorithm>
#include <cstdint>

namespace warmlane::plugins {
namespace {

struct PrefixCacheOptions {
    /// Name of the producer whose matches are read; empty for whichever is there.
    std::string producer;
    /// Share of the score that the length of the match decides, the rest being its share of the prompt; 0
    /// to 1.
    double length_weight = 0.0;
    /// Matched tokens at which the length's part is full.
    std::uint32_t length_scale_tokens = 8192;
};

/// Prefers the endpoint that is believed to hold most of the prompt. Divides numbers that a producer found.
class PrefixCacheScorer final : public routing::Scorer {
public:
    explicit PrefixCacheScorer(PrefixCacheOptions options) : options_(std::move(options)) {}

    std::optional<std::string> prefix_producer() const override { return options_.producer; }

    void score(
        const InferenceRequest& /*request*/,
        std::span<const routing::Candidate> candidates,
        std::span<double> scores
    ) const override {
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            const std::optional<PrefixMatchInfo>& match = candidates[i].prefix_match;
            scores[i] = match && match->total_blocks > 0 ? score_of(*match) : 0.0;
        }
    }

private:
    double score_of(const PrefixMatchInfo& match) const {
        const double share = static_cast<double>(match.match_blocks) / match.total_blocks;
        if (options_.length_weight == 0) {
            return share;
        }
        const double tokens = static_cast<double>(match.match_blocks) * match.block_tokens;
        const double length = std::min(1.0, tokens / options_.length_scale_tokens);
        return options_.length_weight * length * length + (1.0 - options_.length_weight) * share;
    }

    const PrefixCacheOptions options_;
};

}  // namespace

std::unique_ptr<routing::Plugin> make_prefix_cache_scorer(JsonReader& parameters) {
    PrefixCacheOptions options;
    parameters.read("prefixMatchInfoProducerName", options.producer);
    parameters.read("matchLengthWeight", options.length_weight, 0.0, 1.0);
    parameters.read("matchLengthScaleTokens", options.length_scale_tokens);
    if (options.length_weight > 0 && options.length_scale_tokens == 0) {
        parameters.fail("matchLengthScaleTokens", "must be at least 1 when matchLengthWeight is above 0");
    }
    return std::make_unique<PrefixCacheScorer>(std::move(options));
}

}  // namespace warmlane::plugins
