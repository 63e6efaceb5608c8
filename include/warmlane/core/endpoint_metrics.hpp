#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warmlane {

/// What one scrape of an endpoint's metrics page says. A value that the page lacks or that is not a
/// usable number stays absent; absent never means zero.
struct EndpointMetrics {
    /// Requests waiting in the engine's queue, summed over its ranks.
    std::optional<double> waiting;
    /// Requests being worked on, summed over its ranks.
    std::optional<double> running;
    /// Share of the KV cache in use, 0 to 1, mean over its ranks.
    std::optional<double> kv_usage;
    /// Tokens in one block of the engine's KV cache.
    std::optional<std::uint32_t> block_tokens;
    /// Blocks in the engine's KV cache, of one rank.
    std::optional<std::uint64_t> block_count;
    /// LoRA adapters, of the newest series.
    std::vector<std::string> running_adapters;
    std::vector<std::string> waiting_adapters;
    std::optional<std::uint32_t> max_adapters;
    /// Unix time at which the process started, in seconds.
    std::optional<double> process_start_time;
    /// Prompt tokens ever processed; a value that falls tells of a restart.
    std::optional<double> prompt_tokens_total;
    /// `Endpoint::decided_requests` when the scrape began.
    std::uint64_t decided_at_scrape = 0;
};

}  // namespace warmlane
