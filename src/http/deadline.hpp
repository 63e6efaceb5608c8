#pragma once

#include "warmlane/core/clock.hpp"
#include "warmlane/core/error.hpp"
#include "warmlane/http/types.hpp"

#include <functional>
#include <memory>

namespace warmlane::http {

/// One timer for every wait of a connection. Moving the deadline later costs nothing: the timer is touched
/// only when it fires too early or must fire sooner.
class Deadline {
public:
    explicit Deadline(Executor executor) : timer_(executor) {}

    /// `owner` keeps this object alive; `on_expiry` runs on the connection's thread.
    void bind(std::weak_ptr<void> owner, std::function<void()> on_expiry) {
        owner_ = std::move(owner);
        on_expiry_ = std::move(on_expiry);
    }

    void set(TimePoint at) {
        at_ = at;
        if (at < armed_for_) {
            arm();
        }
    }
    /// Nothing expires until the next `set`.
    void clear() { at_ = TimePoint::max(); }
    /// Ends the timer for good, so that it does not keep the event loop busy.
    void stop() {
        clear();
        timer_.cancel();
    }

private:
    void arm() {
        armed_for_ = at_;
        timer_.expires_at(at_);
        timer_.async_wait([this, owner = owner_](error_code ec) {
            const std::shared_ptr<void> alive = owner.lock();
            if (alive && !ec) {
                fire();
            }
        });
    }
    void fire() {
        armed_for_ = TimePoint::max();
        if (at_ == TimePoint::max()) {
            return;
        }
        if (std::chrono::steady_clock::now() < at_) {
            arm();
            return;
        }
        clear();
        on_expiry_();
    }

    Timer timer_;
    TimePoint at_ = TimePoint::max();
    TimePoint armed_for_ = TimePoint::max();
    std::weak_ptr<void> owner_;
    std::function<void()> on_expiry_;
};

}  // namespace warmlane::http
