#pragma once

#include "warmlane/http/body_relay.hpp"
#include "warmlane/http/message.hpp"
#include "warmlane/http/sse_scanner.hpp"
#include "warmlane/observability/metrics.hpp"
#include "warmlane/openai/usage_reader.hpp"
#include "warmlane/routing/decision.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace warmlane::proxy {

/// Looks at an answer while it passes: when its first byte came, how long it paused, what usage it reports,
/// and where its events end. Holds nothing back and keeps a bounded part.
class AnswerObserver final : public http::RelayObserver {
public:
    /// `reservation`'s tokens are released at the first byte of content: the prompt has been worked on by
    /// then. All three outlive the observer.
    AnswerObserver(
        const http::ResponseHead& head, routing::Reservation& reservation, observability::Metrics& metrics
    );

    void on_content(const http::Pieces& content) override;

    bool is_event_stream() const { return event_stream_; }
    /// An event has begun that has not ended.
    bool inside_event() const { return event_stream_ && !events_.at_boundary(); }
    std::optional<std::chrono::steady_clock::time_point> first_byte_at() const { return first_byte_at_; }
    openai::Usage usage();
    /// The first `"id"` in the answer's first bytes: the name of a stored response; empty when there is none.
    std::string_view response_id() const;

private:
    routing::Reservation& reservation_;
    observability::Metrics& metrics_;
    const bool event_stream_;
    http::SseScanner events_;
    std::optional<openai::UsageReader> usage_;
    std::string first_bytes_;
    std::optional<std::chrono::steady_clock::time_point> first_byte_at_;
    std::chrono::steady_clock::time_point last_byte_at_;
};

}  // namespace warmlane::proxy
