#pragma once

#include "warmlane/core/clock.hpp"

#include <cstdint>
#include <random>

namespace warmlane::datalayer {

/// Spreads the rounds of a loop in time, so that many loops do not strike together.
class Pace {
public:
    explicit Pace(std::uint64_t seed) : random_(seed) {}

    /// How long to wait after a round that took `spent`, for rounds to begin about every `interval` (up to a
    /// tenth more or less). At least half an interval: an endpoint that is slow to answer is asked less
    /// often.
    Duration pause(Duration interval, Duration spent);

private:
    std::mt19937_64 random_;
};

/// Lets through one line in a while, so that what flaps does not fill the log.
class RareLine {
public:
    /// True at most once every ten seconds.
    bool due(TimePoint now);

private:
    TimePoint next_ = TimePoint::min();
};

}  // namespace warmlane::datalayer
