#pragma once

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

}  // namespace warmlane::plugins
