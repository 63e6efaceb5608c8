#pragma once

#include "proxy_error.hpp"

#include "warmlane/core/clock.hpp"
#include "warmlane/core/endpoint.hpp"
#include "warmlane/core/prefix_match.hpp"
#include "warmlane/http/exchange.hpp"
#include "warmlane/observability/metrics.hpp"
#include "warmlane/openai/usage_reader.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace warmlane::proxy {

/// What is known of one request when it is over: for the access log and the metrics.
struct RequestRecord {
    std::string id;
    std::string model;
    std::uint64_t body_bytes = 0;
    /// Sum over the prompts, as hashed.
    std::uint64_t prompt_bytes = 0;
    /// The endpoint of the last attempt; null before the first.
    std::shared_ptr<Endpoint> endpoint;
    PrefixMatchInfo prefix_match;
    std::uint32_t attempts = 0;
    std::optional<Duration> decision;
    /// Our own share of the time so far.
    Duration overhead{0};
    std::optional<Duration> first_byte;
    openai::Usage usage;

    /// Prompt tokens that the endpoint should have found in its cache, once the answer has told how many
    /// there are.
    std::optional<std::uint64_t> predicted_cached_tokens() const;
};

/// Writes the record down: metrics, the endpoint's token counts, and the access log's line. `total` is the
/// time from the first byte of the request until now.
void finish_record(
    const RequestRecord& record,
    const ProxyError& error,
    const http::Exchange& exchange,
    observability::Metrics& metrics
);

}  // namespace warmlane::proxy
