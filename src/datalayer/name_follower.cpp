#include "name_follower.hpp"

#include "loop_end.hpp"
#include "scrape_target.hpp"

#include <boost/asio/co_spawn.hpp>

#include <chrono>
#include <utility>

namespace warmlane::datalayer {
namespace {

constexpr std::chrono::seconds kFollowEvery{30};
/// Between two lookups of a name that fails, or whose address does.
constexpr std::chrono::seconds kFollowAtMostEvery{1};

}  // namespace

NameFollower::NameFollower(http::Executor executor, std::string host, Listener listener)
    : host_(std::move(host)),
      listener_(std::move(listener)),
      address_(ip_literal(host_)),
      resolver_(executor),
      timer_(executor) {}

void NameFollower::start() {
    if (address_.empty()) {
        http::asio::co_spawn(
            timer_.get_executor(), follow(shared_from_this()), LoopEnd{"name lookup", host_}
        );
    }
}

void NameFollower::stop() {
    stopped_ = true;
    resolver_.cancel();
    timer_.cancel();
}

void NameFollower::refresh() {
    in_a_hurry_ = true;
    if (resting_) {
        timer_.cancel();
    }
}

http::Awaitable<void> NameFollower::follow(std::shared_ptr<NameFollower> self) {
    while (!self->stopped_) {
        const auto [ec, results] = co_await self->resolver_.async_resolve(self->host_, "", http::as_result);
        if (self->stopped_) {
            co_return;
        }
        self->take(ec, results);
        self->in_a_hurry_ = self->address_.empty();
        self->timer_.expires_after(kFollowAtMostEvery);
        co_await self->timer_.async_wait(http::as_result);
        if (self->stopped_ || self->in_a_hurry_) {
            continue;
        }
        self->resting_ = true;
        self->timer_.expires_after(kFollowEvery - kFollowAtMostEvery);
        co_await self->timer_.async_wait(http::as_result);
        self->resting_ = false;
    }
}

void NameFollower::take(const error_code& ec, const Resolver::results_type& results) {
    if (ec || results.empty()) {
        listener_(ec ? ec : make_error_code(http::asio::error::host_not_found));
        return;
    }
    for (const auto& entry : results) {
        if (entry.endpoint().address().to_string() == address_) {
            return;
        }
    }
    address_ = results.begin()->endpoint().address().to_string();
    listener_(address_);
}

}  // namespace warmlane::datalayer
