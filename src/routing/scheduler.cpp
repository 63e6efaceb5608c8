#include "warmlane/routing/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace warmlane::routing {
namespace {

using SteadyClock = std::chrono::steady_clock;

bool contains(std::span<const Endpoint* const> endpoints, const Endpoint* endpoint) {
    return std::find(endpoints.begin(), endpoints.end(), endpoint) != endpoints.end();
}

Candidate make_candidate(const EndpointStatus& status, const PoolSnapshot& pool, TimePoint now) {
    Endpoint& endpoint = *status.endpoint;
    Candidate candidate;
    candidate.endpoint = &endpoint;
    candidate.in_flight_requests = endpoint.in_flight_requests.load(std::memory_order_relaxed);
    candidate.in_flight_tokens = endpoint.in_flight_tokens.load(std::memory_order_relaxed);
    if (status.metrics && now - status.metrics_time <= pool.metrics_stale_after) {
        const std::uint64_t decided = endpoint.decided_requests.load(std::memory_order_relaxed);
        const std::uint64_t seen = std::min(decided, status.metrics->decided_at_scrape);
        candidate.metrics = &*status.metrics;
        // Those that have finished already are in no queue.
        const auto unseen = static_cast<std::int64_t>(decided - seen);
        candidate.unseen_requests = std::min(unseen, candidate.in_flight_requests);
    }
    return candidate;
}

/// Those that take traffic and are not excluded; if only excluded ones do, those.
void collect_candidates(
    const PoolSnapshot& pool,
    TimePoint now,
    std::span<const Endpoint* const> excluded,
    std::vector<Candidate>& candidates
) {
    candidates.clear();
    for (const EndpointStatus& status : pool.endpoints) {
        if (status.takes_traffic() && !contains(excluded, status.endpoint.get())) {
            candidates.push_back(make_candidate(status, pool, now));
        }
    }
    if (candidates.empty() && !excluded.empty()) {
        collect_candidates(pool, now, {}, candidates);
    }
}

const EndpointStatus& status_of(const PoolSnapshot& pool, const Endpoint* endpoint) {
    const auto found =
        std::find_if(pool.endpoints.begin(), pool.endpoints.end(), [&](const EndpointStatus& status) {
            return status.endpoint.get() == endpoint;
        });
    assert(found != pool.endpoints.end());
    return *found;
}

/// Prompt tokens that the endpoint must work on, estimated from the share of the blocks that it lacks.
std::int64_t uncached_tokens(const InferenceRequest& request, const PrefixMatchInfo& match) {
    const std::uint64_t tokens = request.prompt_tokens();
    const std::uint64_t uncached =
        match.total_blocks == 0 ? tokens
                                : tokens * (match.total_blocks - match.match_blocks) / match.total_blocks;
    return static_cast<std::int64_t>(uncached);
}

std::vector<CandidateReport> start_reports(const std::vector<Candidate>& candidates) {
    std::vector<CandidateReport> reports;
    for (const Candidate& candidate : candidates) {
        CandidateReport& report = reports.emplace_back();
        report.endpoint = candidate.endpoint->name();
        report.prefix_match = candidate.prefix_match.value_or(PrefixMatchInfo{});
    }
    return reports;
}

}  // namespace

void Scheduler::prepare(InferenceRequest& request) const {
    for (const DataProducer* producer : producers_) {
        producer->prepare(request);
    }
}

Result<Decision> Scheduler::schedule(
    InferenceRequest& request,
    const PoolSnapshot& pool,
    TimePoint now,
    std::span<const Endpoint* const> excluded
) {
    const SteadyClock::time_point asked = SteadyClock::now();
    std::unique_lock lock(mutex_);
    const SteadyClock::time_point locked = SteadyClock::now();
    collect_candidates(pool, now, excluded, work_.candidates);
    if (work_.candidates.empty()) {
        return Errc::no_endpoint;
    }
    const SchedulingProfile& profile = rank(request, nullptr);
    if (work_.ranked.empty()) {
        return Errc::saturated;
    }
    Decision decision;
    decision.prefix_match = winner().prefix_match.value_or(PrefixMatchInfo{});
    const EndpointStatus& picked = status_of(pool, winner().endpoint);
    decision.reservation = Reservation(picked.endpoint, uncached_tokens(request, decision.prefix_match));
    picked.endpoint->decided_requests.fetch_add(1, std::memory_order_relaxed);
    for (DataProducer* producer : producers_) {
        producer->on_picked(request, *picked.endpoint);
    }
    lock.unlock();
    decision.lock_wait = locked - asked;
    decision.duration = SteadyClock::now() - asked;
    decision.profile = profile.name();
    decision.picked = picked;
    return decision;
}

Result<Decision> Scheduler::explain(
    const InferenceRequest& request, const PoolSnapshot& pool, TimePoint now
) {
    const SteadyClock::time_point asked = SteadyClock::now();
    const std::scoped_lock lock(mutex_);
    Decision decision;
    decision.lock_wait = SteadyClock::now() - asked;
    collect_candidates(pool, now, {}, work_.candidates);
    if (work_.candidates.empty()) {
        return Errc::no_endpoint;
    }
    decision.profile = rank(request, &decision.candidates).name();
    if (!work_.ranked.empty()) {
        decision.picked = status_of(pool, winner().endpoint);
        decision.prefix_match = winner().prefix_match.value_or(PrefixMatchInfo{});
    }
    decision.duration = SteadyClock::now() - asked;
    return decision;
}

const SchedulingProfile& Scheduler::rank(
    const InferenceRequest& request, std::vector<CandidateReport>* reports
) {
    for (DataProducer* producer : producers_) {
        producer->produce(request, work_.candidates);
    }
    if (reports != nullptr) {
        *reports = start_reports(work_.candidates);
    }
    const SchedulingProfile& profile = profiles_[handler_->choose(request, profiles_)];
    profile.run(request, work_, random_, reports);
    return profile;
}

void Scheduler::unpick(const InferenceRequest& request, const Endpoint& endpoint) {
    const std::scoped_lock lock(mutex_);
    for (DataProducer* producer : producers_) {
        producer->on_unpicked(request, endpoint);
    }
}

void Scheduler::forget(const Endpoint& endpoint) {
    const std::scoped_lock lock(mutex_);
    for (DataProducer* producer : producers_) {
        producer->forget(endpoint);
    }
}

std::size_t Scheduler::index_blocks(const Endpoint& endpoint) const {
    const std::scoped_lock lock(mutex_);
    std::size_t blocks = 0;
    for (const DataProducer* producer : producers_) {
        blocks += producer->index_blocks(endpoint);
    }
    return blocks;
}

std::size_t Scheduler::index_bytes() const {
    const std::scoped_lock lock(mutex_);
    std::size_t bytes = 0;
    for (const DataProducer* producer : producers_) {
        bytes += producer->index_bytes();
    }
    return bytes;
}

std::vector<std::string> Scheduler::describe() const {
    std::vector<std::string> lines;
    for (const SchedulingProfile& profile : profiles_) {
        std::string line = profile.name() + ":";
        for (const SchedulingProfile::NamedFilter& filter : profile.filters) {
            line += fmt::format(" {},", filter.name);
        }
        for (const SchedulingProfile::WeightedScorer& scorer : profile.scorers) {
            line += fmt::format(" {} {},", scorer.name, scorer.weight);
        }
        lines.push_back(fmt::format("{} {}", line, profile.picker_name));
    }
    return lines;
}

}  // namespace warmlane::routing
