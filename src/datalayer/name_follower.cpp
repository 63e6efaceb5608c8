#include "name_follower.hpp"

#include "loop_end.hpp"
#include "scrape_target.hpp"

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>
#include <vector>

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

void NameFollower::try_next() {
    wants_next_ = true;
    refresh();
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
    std::vector<std::string> addresses;
    for (const auto& entry : results) {
        addresses.push_back(entry.endpoint().address().to_string());
    }
    std::string address = choose_address(addresses, address_, wants_next_);
    wants_next_ = false;
    if (address != address_) {
        address_ = std::move(address);
        listener_(address_);
    }
}

std::string choose_address(
    const std::vector<std::string>& addresses, const std::string& current, bool wants_next
) {
    const auto found = std::ranges::find(addresses, current);
    if (found == addresses.end()) {
        return addresses.front();
    }
    if (!wants_next) {
        return current;
    }
    const auto next = std::next(found);
    return next == addresses.end() ? addresses.front() : *next;
}

}  // namespace warmlane::datalayer
