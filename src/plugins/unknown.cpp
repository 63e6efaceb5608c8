#include "plugins/unknown.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warmlane::plugins {

double known_or_unknown(std::optional<double> metric) {
    return metric && std::isfinite(*metric) && *metric >= 0 ? *metric : kUnknown;
}

void fill_unknown(std::span<double> scores) {
    double sum = 0;
    std::size_t known = 0;
    for (const double score : scores) {
        if (!std::isnan(score)) {
            sum += score;
            ++known;
        }
    }
    const double neutral = known == 0 ? 0.5 : sum / static_cast<double>(known);
    std::replace_if(scores.begin(), scores.end(), [](double score) { return std::isnan(score); }, neutral);
}

void score_lowest_best(std::span<double> values) {
    double min = std::numeric_limits<double>::infinity();
    double max = -min;
    for (const double value : values) {
        // fmin and fmax pass over NaN.
        min = std::fmin(min, value);
        max = std::fmax(max, value);
    }
    for (double& value : values) {
        if (!std::isnan(value)) {
            value = max > min ? (max - value) / (max - min) : 1.0;
        }
    }
    fill_unknown(values);
}

void score_fewest_requests_best(
    std::span<const routing::Candidate> candidates,
    std::optional<double> EndpointMetrics::* told,
    std::span<double> scores
) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const routing::Candidate& candidate = candidates[i];
        const auto unseen = static_cast<double>(candidate.unseen_requests);
        scores[i] =
            candidate.metrics == nullptr ? kUnknown : known_or_unknown(candidate.metrics->*told) + unseen;
    }
    score_lowest_best(scores);
}

}  // namespace warmlane::plugins
