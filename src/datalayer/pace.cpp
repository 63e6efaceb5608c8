#include "pace.hpp"

#include <algorithm>
#include <chrono>

namespace warmlane::datalayer {

Duration Pace::pause(Duration interval, Duration spent) {
    const double share = std::uniform_real_distribution<double>(0.9, 1.1)(random_);
    const auto period = std::chrono::duration_cast<Duration>(interval * share);
    return std::max(period - spent, interval / 2);
}

bool RareLine::due(TimePoint now) {
    constexpr std::chrono::seconds kQuiet{10};
    if (now < next_) {
        return false;
    }
    next_ = now + kQuiet;
    return true;
}

}  // namespace warmlane::datalayer
