#pragma once

#include <chrono>

namespace warmlane {

using TimePoint = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

/// The time that rules are judged by. Tests and replays give their own.
class Clock {
public:
    virtual ~Clock() = default;

    /// Monotonic; any thread.
    virtual TimePoint now() const = 0;
};

/// The machine's steady clock.
class SystemClock final : public Clock {
public:
    TimePoint now() const override { return std::chrono::steady_clock::now(); }
};

}  // namespace warmlane
