#include "engine_driver.hpp"

namespace warmlane::sim {

Ticket::~Ticket() {
    for (const auto& [id, choice] : unfinished_) {
        driver_.abort(id);
    }
}

Admission Ticket::submit(const Job& job) {
    stop_reasons_ = job.stop_reasons;
    choices_per_prompt_ = job.choices_per_prompt;
    for (std::size_t choice = 0; choice < job.requests.size(); ++choice) {
        const Submission submission = driver_.submit(job.requests[choice], *this);
        if (submission.admission != Admission::accepted) {
            return submission.admission;
        }
        unfinished_.emplace(submission.id, choice);
    }
    return Admission::accepted;
}

void Ticket::on_event(const EngineEvent& event) {
    const auto entry = unfinished_.find(event.id);
    const std::size_t choice = entry->second;
    if (event.output_tokens == 1 && choice % choices_per_prompt_ == 0) {
        usage_.prompt_tokens += event.prompt_tokens;
        usage_.cached_tokens += event.cached_tokens;
    }
    ++usage_.output_tokens;
    events_.push_back({choice, event});
    driver_.histograms_.observe(event, stop_reasons_[choice]);
    if (event.finished) {
        unfinished_.erase(entry);
    }
    wake_.cancel();
}

Submission EngineDriver::submit(const EngineRequest& request, Ticket& ticket) {
    const Submission submission = engine_.submit(request, std::chrono::steady_clock::now());
    if (submission.admission == Admission::accepted) {
        tickets_.emplace(submission.id, &ticket);
        arm();
    }
    return submission;
}

void EngineDriver::abort(RequestId id) {
    tickets_.erase(id);
    engine_.abort(id);
}

void EngineDriver::stop() {
    stopped_ = true;
    timer_.cancel();
}

void EngineDriver::arm() {
    const std::optional<TimePoint> next = engine_.next_step_at();
    if (stopped_ || next == armed_for_) {
        return;
    }
    armed_for_ = next;
    if (!next) {
        return;
    }
    timer_.expires_at(*next);
    timer_.async_wait([self = shared_from_this()](error_code ec) {
        if (!ec && !self->stopped_) {
            self->run_steps();
        }
    });
}

void EngineDriver::run_steps() {
    armed_for_.reset();
    for (const EngineEvent& event : engine_.advance(std::chrono::steady_clock::now())) {
        const auto ticket = tickets_.find(event.id);
        ticket->second->on_event(event);
        if (event.finished) {
            tickets_.erase(ticket);
        }
    }
    arm();
}

}  // namespace warmlane::sim
