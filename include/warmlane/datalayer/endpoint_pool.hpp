#pragma once

#include "warmlane/core/endpoint.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::datalayer {

/// The one place where the picture of the pool is changed. Everything runs on the control thread; the
/// snapshots that it publishes may go anywhere. No I/O.
class EndpointPool {
public:
    struct Listener {
        virtual ~Listener() = default;
        /// A new picture.
        virtual void on_snapshot(const PoolSnapshotPtr& snapshot) = 0;
        /// `endpoint` left the pool, or its process is a new one: what was believed of it is void. Called
        /// once more for an endpoint that has left, when nobody can refer to it any longer.
        virtual void on_forget(const Endpoint& endpoint) = 0;
    };

    /// `listener` outlives the pool.
    EndpointPool(Duration metrics_stale_after, Listener& listener);

    /// Makes the membership what `specs` says: endpoints of a known name with an unchanged spec stay as they
    /// are, others come or go. Of endpoints with one name the first counts. Publishes.
    void reconcile(std::vector<EndpointSpec> specs);

    /// Changes the status of one endpoint and marks the picture as old. No effect when it is gone.
    void update(const Endpoint& endpoint, const std::function<void(EndpointStatus&)>& change);

    /// What is believed of the endpoint is void; its picture stays.
    void forget(const Endpoint& endpoint);

    /// Publishes if something has changed since the last time. Membership and state changes publish by
    /// themselves.
    void publish_if_changed();

    /// The current picture, which may be newer than the published one.
    const std::vector<EndpointStatus>& endpoints() const { return endpoints_; }
    const EndpointStatus* find(std::string_view name) const;
    PoolSnapshotPtr published() const { return published_; }

private:
    void publish();
    void retire_all_but(const std::vector<EndpointSpec>& specs);
    /// Frees the slots of those that nobody refers to any longer.
    void release_retired();
    std::set<std::uint32_t> slots_in_use() const;

    const Duration metrics_stale_after_;
    Listener& listener_;
    std::vector<EndpointStatus> endpoints_;
    /// Those that have left and that older pictures or running requests still refer to; they keep their
    /// slots.
    std::vector<std::shared_ptr<Endpoint>> retired_;
    PoolSnapshotPtr published_;
    std::uint64_t generation_ = 0;
    bool changed_ = false;
};

}  // namespace warmlane::datalayer
