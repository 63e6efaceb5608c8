#pragma once

#include "warmlane/core/endpoint.hpp"
#include "warmlane/datalayer/health.hpp"

#include <cstdint>

namespace warmlane::datalayer {

/// Judges one endpoint by the contacts with it. No I/O, no clock.
///
/// What clients' requests say and what our own connections say is counted apart, because the one cannot take
/// back what the other found: an endpoint that shows its metrics and breaks every request goes down, and one
/// that serves while its metrics page hangs stays up.
///
/// - The first failure makes it suspect; `failures_until_down` failures of one kind in a row take it down. An
///   endpoint that never was reached has no credit: its first failed connection takes it down.
/// - `Contact::unavailable` makes it suspect and never takes it down: an engine that loads says 503 and is
/// alive.
/// - A request that was answered clears everything, in any state. A connection of our own clears only what
/// our
///   own connections said; it may be an old one, so it does not tell whether a new one can be made.
/// - An answered probe, which always is a new connection, ends `down`: in `up` if only connections had
/// failed, in
///   `suspect` if requests had broken. That only an answered request can disprove, and the next broken one
///   takes it down again, so that such an endpoint costs one attempt per probe.
class HealthRules {
public:
    explicit HealthRules(std::uint32_t failures_until_down) : failures_until_down_(failures_until_down) {}

    /// A request of a client.
    void on_request(Contact contact);

    /// A connection of our own, made or not, to the port that serves requests.
    void on_own_connection(bool made);

    /// A probe was answered.
    void on_probe_answered();

    EndpointState state() const { return state_; }

    /// What an answered request would clear; 0 exactly when the state is `up`.
    std::uint32_t failures() const { return request_failures_ + own_failures_ + (unavailable_ ? 1 : 0); }

    /// Connections failed while it was down, so its process may have gone away. Until it is up or suspect
    /// again.
    bool was_unreachable() const { return unreachable_; }

private:
    void judge(bool connection_failed);
    void clear();

    const std::uint32_t failures_until_down_;

    EndpointState state_ = EndpointState::up;
    /// Requests in a row that found no connection or broke.
    std::uint32_t request_failures_ = 0;
    /// One of them broke.
    bool broke_ = false;
    /// Connections of our own in a row that could not be made.
    std::uint32_t own_failures_ = 0;
    bool unavailable_ = false;
    bool ever_reached_ = false;
    bool unreachable_ = false;
};

}  // namespace warmlane::datalayer
