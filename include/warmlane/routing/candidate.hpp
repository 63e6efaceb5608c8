#pragma once

#include "warmlane/core/endpoint.hpp"
#include "warmlane/core/inference_request.hpp"
#include "warmlane/core/prefix_match.hpp"

#include <cstdint>
#include <optional>

namespace warmlane::routing {

/// An endpoint under consideration for one request: its picture at the moment of the decision, and what
/// the producers found out about the pair. The set of attributes is closed, the set of plugins open.
struct Candidate {
    /// Never null; lives as long as the decision's snapshot.
    Endpoint* endpoint = nullptr;
    /// Fresh metrics; null when there are none or they are too old: then the endpoint is unknown, not idle.
    const EndpointMetrics* metrics = nullptr;
    /// Requests and uncached prompt tokens that this process has running there.
    std::int64_t in_flight_requests = 0;
    std::int64_t in_flight_tokens = 0;
    /// Requests decided for it since the scrape that `metrics` comes from, as far as they are still in
    /// flight.
    std::int64_t unseen_requests = 0;
    /// Set by a prefix producer; absent when none is configured.
    std::optional<PrefixMatchInfo> prefix_match;
};

}  // namespace warmlane::routing
