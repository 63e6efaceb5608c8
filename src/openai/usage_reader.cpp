#include "warmlane/openai/usage_reader.hpp"

#include "openai/usage_object.hpp"

#include <algorithm>

namespace warmlane::openai {
namespace {

/// What stays of a text that is longer than what is kept: longer than a usage object.
constexpr std::size_t kTailBytes = UsageReader::kKeptBytes / 4;

/// The value of a field in a line of an event stream; nothing when the line is not of that field.
std::optional<std::string_view> value_of(std::string_view line, std::string_view field) {
    if (!line.starts_with(field) || line.substr(field.size(), 1) != ":") {
        return std::nullopt;
    }
    line.remove_prefix(field.size() + 1);
    if (line.starts_with(' ')) {
        line.remove_prefix(1);
    }
    return line;
}

/// Events after which a stream has nothing to say.
bool ends_stream(std::string_view event) {
    constexpr std::string_view kLast[] = {
        "message_stop", "response.completed", "response.incomplete", "response.failed"
    };
    return std::ranges::count(kLast, event) != 0;
}

}  // namespace

void UsageReader::feed(std::string_view bytes) {
    if (body_ == Body::json) {
        keep(bytes);
    } else {
        feed_events(bytes);
    }
}

Usage UsageReader::finish() {
    if (body_ == Body::json) {
        take_usage(kept_, usage_);
    } else if (!kept_.empty()) {
        take_line(kept_);
    }
    kept_.clear();
    overlong_ = false;
    return usage_;
}

/// Keeps the bytes in portions that depend on where they stand and not on how they were cut. What falls out
/// is read before.
void UsageReader::keep(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t taken = std::min(bytes.size(), kKeptBytes - kept_.size());
        kept_ += bytes.substr(0, taken);
        bytes.remove_prefix(taken);
        if (kept_.size() == kKeptBytes) {
            if (!overlong_) {
                holds_data_ = body_ == Body::json || value_of(kept_, "data").has_value();
                overlong_ = true;
            }
            if (holds_data_) {
                take_usage(kept_, usage_);
            }
            kept_.erase(0, kKeptBytes - kTailBytes);
        }
    }
}

void UsageReader::feed_events(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        const std::string_view piece = bytes.substr(0, end);
        const bool whole = end != bytes.npos;
        if (whole && kept_.empty() && piece.size() < kKeptBytes) {
            take_line(piece);
        } else {
            keep(piece);
            if (whole) {
                take_line(kept_);
                kept_.clear();
                overlong_ = false;
            }
        }
        bytes.remove_prefix(whole ? end + 1 : bytes.size());
    }
}

void UsageReader::take_line(std::string_view line) {
    if (overlong_) {
        if (holds_data_) {
            take_usage(line, usage_);
        }
        return;
    }
    if (line.ends_with('\r')) {
        line.remove_suffix(1);
    }
    if (const auto data = value_of(line, "data")) {
        done_seen_ = done_seen_ || *data == "[DONE]";
        take_usage(*data, usage_);
    } else if (const auto event = value_of(line, "event")) {
        done_seen_ = done_seen_ || ends_stream(*event);
    }
}

}  // namespace warmlane::openai
