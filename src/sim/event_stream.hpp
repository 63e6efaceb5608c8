#pragma once

#include "answer_writer.hpp"
#include "engine_driver.hpp"
#include "job.hpp"

namespace warmlane::sim {

/// Turns the tokens of a job into events in the order that its API wants. No I/O: the writer only collects.
class EventStream {
public:
    /// Both outlive the stream.
    EventStream(AnswerFormat& format, AnswerWriter& writer) : format_(format), writer_(writer) {}

    void add(const Ticket::TicketEvent& token, const TokenUsage& usage) {
        if (!std::exchange(begun_, true)) {
            format_.begin(usage, events_);
        }
        format_.token(token.choice, token.event.output_tokens - 1, events_);
        if (token.event.finished) {
            format_.end_choice(token.choice, events_);
        }
        pass_on();
    }

    void end(const TokenUsage& usage) {
        format_.end(usage, events_);
        pass_on();
        ended_ = true;
    }

    /// Nothing more comes.
    bool ended() const { return ended_; }

private:
    void pass_on() {
        for (const std::string& event : std::exchange(events_, {})) {
            if (ended_) {
                return;
            }
            if (writer_.error_is_due()) {
                fail();
                return;
            }
            writer_.event(event);
        }
    }

    void fail() {
        writer_.event(format_.error_event({.status = 500, .message = "This answer is a simulated fault."}));
        ended_ = true;
    }

    AnswerFormat& format_;
    AnswerWriter& writer_;
    AnswerFormat::Events events_;
    bool begun_ = false;
    bool ended_ = false;
};

}  // namespace warmlane::sim
