#include "answer_observer.hpp"

namespace warmlane::proxy {
namespace {

/// The id of a response stands near its front.
constexpr std::size_t kFirstBytes = 1024;

bool has_media_type(const http::ResponseHead& head, std::string_view type) {
    const std::string_view value = head.value_of("Content-Type");
    const std::string_view named = value.substr(0, value.find_first_of("; "));
    return http::equals_ignoring_case(named, type);
}

}  // namespace

AnswerObserver::AnswerObserver(
    const http::ResponseHead& head, routing::Reservation& reservation, observability::Metrics& metrics
)
    : reservation_(reservation), metrics_(metrics), event_stream_(has_media_type(head, "text/event-stream")) {
    const bool readable = head.value_of("Content-Encoding").empty();
    if (readable && event_stream_) {
        usage_.emplace(openai::UsageReader::Body::events);
    } else if (readable && has_media_type(head, "application/json")) {
        usage_.emplace(openai::UsageReader::Body::json);
    }
}

void AnswerObserver::on_content(const http::Pieces& content) {
    if (content.empty()) {
        return;
    }
    const auto now = std::chrono::steady_clock::now();
    if (!first_byte_at_) {
        first_byte_at_ = now;
        reservation_.release_tokens();
    } else if (event_stream_) {
        metrics_.observe_chunk_gap(now - last_byte_at_);
    }
    last_byte_at_ = now;
    for (const std::string_view piece : content) {
        if (event_stream_) {
            events_.feed(piece);
        }
        if (usage_) {
            usage_->feed(piece);
            first_bytes_.append(piece.substr(0, kFirstBytes - first_bytes_.size()));
        }
    }
}

openai::Usage AnswerObserver::usage() {
    return usage_ ? usage_->finish() : openai::Usage{};
}

std::string_view AnswerObserver::response_id() const {
    constexpr std::string_view kKey = "\"id\"";
    const std::string_view text = first_bytes_;
    const std::size_t key = text.find(kKey);
    const std::size_t colon =
        text.find_first_not_of(' ', key == std::string_view::npos ? key : key + kKey.size());
    if (colon == std::string_view::npos || text[colon] != ':') {
        return {};
    }
    const std::size_t quote = text.find_first_not_of(' ', colon + 1);
    if (quote == std::string_view::npos || text[quote] != '"') {
        return {};
    }
    const std::size_t end = text.find('"', quote + 1);
    return end == std::string_view::npos ? std::string_view{} : text.substr(quote + 1, end - quote - 1);
}

}  // namespace warmlane::proxy
