#pragma once

#include "warmlane/core/error.hpp"
#include "warmlane/http/types.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/post.hpp>

#include <memory>
#include <utility>

namespace warmlane::http {

/// Lets one coroutine wait until another handler of the same thread calls `notify`. Nothing is remembered:
/// the caller checks its condition before it waits.
class Event {
public:
    explicit Event(Executor executor) : executor_(executor) {}

    Awaitable<void> wait() {
        auto initiate = [this](auto handler) {
            waiter_ = std::make_unique<HandlerWaiter<decltype(handler)>>(executor_, std::move(handler));
        };
        [[maybe_unused]] const auto result =
            co_await asio::async_initiate<decltype(as_result), void(error_code)>(initiate, as_result);
    }

    void notify() {
        if (const std::unique_ptr<Waiter> waiter = std::exchange(waiter_, nullptr)) {
            waiter->resume();
        }
    }

    /// Destroys the coroutine that waits, without resuming it; for when its thread runs no more.
    void abandon() { const std::unique_ptr<Waiter> waiter = std::exchange(waiter_, nullptr); }

private:
    struct Waiter {
        virtual ~Waiter() = default;
        virtual void resume() = 0;
    };

    template <class Handler>
    struct HandlerWaiter final : Waiter {
        HandlerWaiter(Executor executor, Handler handler)
            : executor_(executor), handler_(std::move(handler)) {}
        void resume() override {
            asio::post(executor_, [handler = std::move(handler_)]() mutable { handler(error_code{}); });
        }

    private:
        Executor executor_;
        Handler handler_;
    };

    Executor executor_;
    std::unique_ptr<Waiter> waiter_;
};

}  // namespace warmlane::http
