#pragma once

#include "warmlane/core/error.hpp"
#include "warmlane/core/json_reader.hpp"
#include "warmlane/routing/decision.hpp"
#include "warmlane/routing/plugin.hpp"
#include "warmlane/routing/plugin_registry.hpp"
#include "warmlane/routing/profile.hpp"
#include "warmlane/routing/scheduling_config.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace warmlane::routing {

/// Decides which endpoint serves a request. One decision at a time: match, filter, score, pick, reserve and
/// record happen under one lock, so the next decision, on any thread, sees this one.
class Scheduler {
public:
    /// Builds plugins and profiles, completes what is left out (a picker, a profile handler, producers that a
    /// scorer needs) and appends everything that is wrong to `errors`. Null when there was an error.
    /// `seed` starts the source of chance.
    static std::unique_ptr<Scheduler> build(
        const SchedulingConfig& config,
        const PluginRegistry& registry,
        std::uint64_t seed,
        std::vector<ReadError>& errors
    );

    /// What depends on the request alone (block hashes). Takes no lock; before `schedule` or `explain`.
    void prepare(InferenceRequest& request) const;

    /// Picks an endpoint of `pool` that takes traffic and is not in `excluded`; when only excluded ones are
    /// left, one of those. Reserves its load until the decision's reservation is released, and records that
    /// it now holds the prompt. `Errc::no_endpoint` when none takes traffic, `Errc::saturated` when filters
    /// leave none. `now` decides which metrics are stale.
    Result<Decision> schedule(
        InferenceRequest& request,
        const PoolSnapshot& pool,
        TimePoint now,
        std::span<const Endpoint* const> excluded = {}
    );

    /// The record of the last `schedule` of `request` is taken back: `endpoint`, which it picked, never got
    /// the request. Before the next `schedule`. The load is taken off by the decision's reservation.
    void unpick(const InferenceRequest& request, const Endpoint& endpoint);

    /// What `schedule` would decide, with every score and filter verdict; reserves and records nothing. When
    /// filters leave no candidate, `picked.endpoint` is null and the verdicts tell why.
    Result<Decision> explain(const InferenceRequest& request, const PoolSnapshot& pool, TimePoint now);

    /// Nothing that was believed of `endpoint` holds.
    void forget(const Endpoint& endpoint);

    std::size_t index_blocks(const Endpoint& endpoint) const;
    std::size_t index_bytes() const;

    /// Profiles as built, for the banner and `check`: name, then `plugin weight` in order.
    std::vector<std::string> describe() const;

private:
    Scheduler() = default;
    const SchedulingProfile& rank(const InferenceRequest& request, std::vector<CandidateReport>* reports);
    const Candidate& winner() const { return work_.candidates[work_.ranked.front().index]; }

    friend class SchedulerBuilder;

    // Fixed after `build`.
    std::vector<std::unique_ptr<Plugin>> plugins_;
    std::vector<DataProducer*> producers_;
    std::vector<SchedulingProfile> profiles_;
    ProfileHandler* handler_ = nullptr;

    mutable std::mutex mutex_;
    // Guarded by `mutex_`, as is the state of every plugin.
    RandomEngine random_;
    Workspace work_;
};

}  // namespace warmlane::routing
