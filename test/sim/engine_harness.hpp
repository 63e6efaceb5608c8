#pragma once

#include "warmlane/sim/simulated_engine.hpp"

#include <chrono>
#include <map>
#include <numeric>
#include <vector>

namespace warmlane::sim::test {

using namespace std::chrono_literals;

/// `count` tokens that follow each other from `first`.
inline std::vector<Token> tokens(Token first, std::size_t count) {
    std::vector<Token> out(count);
    std::iota(out.begin(), out.end(), first);
    return out;
}

inline std::vector<Token> joined(std::vector<Token> head, const std::vector<Token>& tail) {
    head.insert(head.end(), tail.begin(), tail.end());
    return head;
}

/// 10 ms a step, 100 us a prefill token, nothing a request: times can be worked out by hand.
inline EngineOptions plain_options() {
    EngineOptions options;
    options.block_count = 64;
    options.step_tokens_max = 100;
    options.step_base = Microseconds{10'000};
    options.step_per_prefill_token = Microseconds{100};
    options.step_per_request = Microseconds{0};
    return options;
}

/// Runs an engine in virtual time and keeps each request's events.
class EngineRun {
public:
    explicit EngineRun(const EngineOptions& options = plain_options()) : engine(options) {}

    RequestId submit(std::vector<Token> prompt, std::vector<Token> output) {
        const Submission submission = engine.submit({std::move(prompt), std::move(output), scope}, now);
        return submission.admission == Admission::accepted ? submission.id : 0;
    }

    /// Runs the next thing the engine has to do; false when there is none.
    bool step() {
        const auto at = engine.next_step_at();
        if (!at) {
            return false;
        }
        now = std::max(now, *at);
        for (const EngineEvent& event : engine.advance(now)) {
            events[event.id].push_back(event);
        }
        return true;
    }
    void finish() {
        while (step()) {
        }
    }
    /// One request from beginning to end; its last event.
    EngineEvent complete(const std::vector<Token>& prompt, const std::vector<Token>& output) {
        const RequestId id = submit(prompt, output);
        finish();
        return events[id].back();
    }

    SimulatedEngine engine;
    TimePoint now = TimePoint{} + 1h;
    std::string scope = "model";
    std::map<RequestId, std::vector<EngineEvent>> events;
};

}  // namespace warmlane::sim::test
