#pragma once

#include "warmlane/core/endpoint_metrics.hpp"
#include "warmlane/routing/candidate.hpp"

#include <limits>
#include <optional>
#include <span>

namespace warmlane::plugins {

/// Stands in a list of values or scores for an endpoint of which nothing fresh is known.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// The value of a metric, or `kUnknown` when it is absent, negative or no finite number.
double known_or_unknown(std::optional<double> metric);

/// Gives each unknown endpoint the mean score of the known ones, 0.5 when none is known: an endpoint that
/// does not answer scrapes is neither the best nor the worst.
void fill_unknown(std::span<double> scores);

/// Turns values into scores: (max - value) / (max - min) over the known ones, 1 for all when they are equal.
void score_lowest_best(std::span<double> values);

/// Scores by a number of requests that the engine tells of, the fewest best; requests that were sent there
/// since the page was read are added to it.
void score_fewest_requests_best(
    std::span<const routing::Candidate> candidates,
    std::optional<double> EndpointMetrics::* told,
    std::span<double> scores
);

}  // namespace warmlane::plugins
