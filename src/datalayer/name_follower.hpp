#pragma once

#include "warmlane/core/error.hpp"
#include "warmlane/http/types.hpp"

#include <boost/asio/ip/basic_resolver.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warmlane::datalayer {

/// Knows the address of a host: of an IP literal at once, of a name by asking the system's resolver at the
/// start, every 30 s, and when told that connections fail. The last good answer stays. Lives on the control
/// thread.
class NameFollower : public std::enable_shared_from_this<NameFollower> {
public:
    /// Hears of an address other than before, and of each failed lookup. Not called for an IP literal, nor
    /// after `stop`.
    using Listener = std::function<void(const Result<std::string>& address)>;

    NameFollower(http::Executor executor, std::string host, Listener listener);

    void start();
    void stop();

    /// Looks again soon, though not more often than every second.
    void refresh();
    /// The same, and takes the next one of several addresses: nobody answers at this one.
    void try_next();

    const std::string& host() const { return host_; }
    /// IP literal; empty until there is one.
    const std::string& address() const { return address_; }

private:
    using Resolver = http::asio::ip::basic_resolver<http::asio::ip::tcp, http::Executor>;

    static http::Awaitable<void> follow(std::shared_ptr<NameFollower> self);
    void take(const error_code& ec, const Resolver::results_type& results);

    const std::string host_;
    const Listener listener_;
    std::string address_;
    Resolver resolver_;
    http::Timer timer_;
    bool in_a_hurry_ = false;
    bool wants_next_ = false;
    bool resting_ = false;
    bool stopped_ = false;
};

/// The address to use of those that a lookup gave, at least one: the current one if it is still among them,
/// or the one after it when that is wanted, else the first.
std::string choose_address(
    const std::vector<std::string>& addresses, const std::string& current, bool wants_next
);

}  // namespace warmlane::datalayer
