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

}  // namespace warmlane::plugins
