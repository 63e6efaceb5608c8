#pragma once

#include "warmlane/core/endpoint.hpp"
#include "warmlane/core/prefix_match.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace warmlane::routing {

/// Load put on an endpoint by a decision; taken off when released or destroyed. Move-only, any thread.
class Reservation {
public:
    Reservation() = default;
    Reservation(std::shared_ptr<Endpoint> endpoint, std::int64_t tokens);
    Reservation(Reservation&& other) noexcept { swap(other); }
    Reservation& operator=(Reservation&& other) noexcept {
        Reservation(std::move(other)).swap(*this);
        return *this;
    }
    Reservation(const Reservation&) = delete;
    Reservation& operator=(const Reservation&) = delete;
    ~Reservation() { release(); }

    /// The prompt has been worked on: its tokens no longer count, the request still does.
    void release_tokens();
    void release();

private:
    void swap(Reservation& other) noexcept {
        std::swap(endpoint_, other.endpoint_);
        std::swap(tokens_, other.tokens_);
    }

    std::shared_ptr<Endpoint> endpoint_;
    std::int64_t tokens_ = 0;
};

/// What a detailed decision says of one endpoint.
struct CandidateReport {
    struct FilterVerdict {
        std::string plugin;
        bool kept = true;
    };
    struct PluginScore {
        std::string plugin;
        double score = 0;
        double weight = 0;
    };
    std::string endpoint;
    bool kept = true;
    std::vector<FilterVerdict> filters;
    std::vector<PluginScore> scores;
    double total = 0;
    PrefixMatchInfo prefix_match;
};

/// The result of scheduling one request.
struct Decision {
    /// The winner.
    EndpointStatus picked;
    /// What the winner is believed to hold of the prompt, before this request was recorded.
    PrefixMatchInfo prefix_match;
    Reservation reservation;
    std::string profile;
    /// Time from asking for the lock to the end of the record.
    std::chrono::nanoseconds duration{0};
    /// Time spent waiting for the lock, part of `duration`.
    std::chrono::nanoseconds lock_wait{0};
    /// Filled by `Scheduler::explain` only; in the order of the pool.
    std::vector<CandidateReport> candidates;
};

}  // namespace warmlane::routing
