#pragma once

#include "job.hpp"
#include "metrics_page.hpp"

#include "warmlane/core/error.hpp"
#include "warmlane/http/types.hpp"
#include "warmlane/sim/simulated_engine.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace warmlane::sim {

class EngineDriver;

/// The engine requests of one HTTP request, and the tokens that they got and nobody has fetched yet. What is
/// not finished when the ticket goes is aborted.
class Ticket {
public:
    /// `driver` outlives the ticket.
    Ticket(EngineDriver& driver, http::Executor executor) : driver_(driver), wake_(executor) {}
    ~Ticket();
    Ticket(const Ticket&) = delete;
    Ticket& operator=(const Ticket&) = delete;

    /// All of the job's requests or none. Call once.
    Admission submit(const Job& job);

    struct TicketEvent {
        std::size_t choice = 0;
        EngineEvent event;
    };
    /// The tokens since the last call.
    std::vector<TicketEvent> take() { return std::exchange(events_, {}); }
    bool has_events() const { return !events_.empty(); }
    bool finished() const { return unfinished_.empty(); }
    /// Counts of what `take` gave or will give.
    const TokenUsage& usage() const { return usage_; }

    /// Waits until there are events: set to never expire, and cancelled when one comes.
    http::Timer& wake() { return wake_; }

private:
    friend class EngineDriver;
    void on_event(const EngineEvent& event);

    EngineDriver& driver_;
    http::Timer wake_;
    std::vector<StopReason> stop_reasons_;
    std::size_t choices_per_prompt_ = 1;
    std::unordered_map<RequestId, std::size_t> unfinished_;
    std::vector<TicketEvent> events_;
    TokenUsage usage_;
};

/// Drives an engine by the steady clock and hands its tokens to their tickets. One thread.
class EngineDriver : public std::enable_shared_from_this<EngineDriver> {
public:
    EngineDriver(http::Executor executor, const EngineOptions& options)
        : timer_(executor), engine_(options) {}

    SimulatedEngine& engine() { return engine_; }
    const SimulatedEngine& engine() const { return engine_; }
    const RequestHistograms& histograms() const { return histograms_; }
    /// No step runs any more.
    void stop();

private:
    friend class Ticket;
    Submission submit(const EngineRequest& request, Ticket& ticket);
    void abort(RequestId id);
    void arm();
    void run_steps();

    http::Timer timer_;
    SimulatedEngine engine_;
    RequestHistograms histograms_;
    std::unordered_map<RequestId, Ticket*> tickets_;
    std::optional<TimePoint> armed_for_;
    bool stopped_ = false;
};

}  // namespace warmlane::sim
