#pragma once

#include "warmlane/core/endpoint_metrics.hpp"

#include <optional>

namespace warmlane::datalayer {

/// Tells from what an endpoint's pages say whether its process has been replaced, and with it its KV cache.
class RestartWatch {
public:
    /// Remembers a scrape. True when its start time differs from the last one, or its count of prompt tokens
    /// is lower.
    bool restarted(const EndpointMetrics& metrics);

    /// The same for the first scrape after connections had failed, absent when it gave nothing. Then a
    /// restart is the likely cause, so only a start time that stayed the same speaks against it.
    bool restarted_while_unreachable(const std::optional<EndpointMetrics>& metrics);

private:
    std::optional<double> start_time_;
    std::optional<double> prompt_tokens_;
};

}  // namespace warmlane::datalayer
