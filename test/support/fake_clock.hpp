#pragma once

#include "warmlane/core/clock.hpp"

namespace warmlane::test {

/// A clock that moves only when a test says so.
class FakeClock final : public Clock {
public:
    TimePoint now() const override { return now_; }
    void advance(Duration by) { now_ += by; }

private:
    TimePoint now_ = TimePoint{} + std::chrono::hours{1};
};

}  // namespace warmlane::test
