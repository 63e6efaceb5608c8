#include "openai/usage_object.hpp"

#include "openai/json_scanner.hpp"
#include "openai/scratch.hpp"

#include <charconv>
#include <deque>

namespace warmlane::openai {
namespace {

constexpr std::size_t kDepthMax = 16;

using Count = std::optional<std::uint64_t>;

Count read_count(JsonScanner& json) {
    const bool number = json.kind() == JsonKind::number;
    const std::string_view text = json.skip();
    std::uint64_t count = 0;
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), count);
    const bool whole = number && ec == std::errc{} && end == text.data() + text.size();
    return whole ? Count(count) : std::nullopt;
}

/// What one object says, in its own words.
class UsageObject {
public:
    explicit UsageObject(std::string_view text) : json_(text, kDepthMax), scratch_(chunks_) {
        if (json_.kind() == JsonKind::object) {
            read_members();
        }
    }

    void merge_into(Usage& usage) const {
        if (json_.failed()) {
            return;
        }
        usage.prompt_tokens = prompt() ? prompt() : usage.prompt_tokens;
        usage.completion_tokens = completion_ ? completion_ : usage.completion_tokens;
        usage.cached_tokens = cached() ? cached() : usage.cached_tokens;
    }

private:
    /// Anthropic counts what was read from and written to the cache beside the other tokens of the prompt.
    Count prompt() const {
        const bool apart = prompt_ && (cache_read_ || cache_creation_);
        return apart ? Count(*prompt_ + cache_read_.value_or(0) + cache_creation_.value_or(0)) : prompt_;
    }
    Count cached() const { return cache_read_ ? cache_read_ : cached_; }

    void read_members() {
        std::string_view key;
        json_.open();
        while (json_.next_member(scratch_, key)) {
            if (key == "prompt_tokens" || key == "input_tokens") {
                prompt_ = read_count(json_);
            } else if (key == "completion_tokens" || key == "output_tokens") {
                completion_ = read_count(json_);
            } else if (key == "cache_read_input_tokens") {
                cache_read_ = read_count(json_);
            } else if (key == "cache_creation_input_tokens") {
                cache_creation_ = read_count(json_);
            } else if (key == "prompt_tokens_details" || key == "input_tokens_details") {
                read_details();
            } else {
                json_.skip();
            }
        }
    }

    void read_details() {
        if (json_.kind() != JsonKind::object) {
            json_.skip();
            return;
        }
        std::string_view key;
        json_.open();
        while (json_.next_member(scratch_, key)) {
            if (key == "cached_tokens") {
                cached_ = read_count(json_);
            } else {
                json_.skip();
            }
        }
    }

    std::deque<std::string> chunks_;
    JsonScanner json_;
    Scratch scratch_;
    Count prompt_;
    Count completion_;
    Count cached_;
    Count cache_read_;
    Count cache_creation_;
};

}  // namespace

void take_usage(std::string_view text, Usage& usage) {
    constexpr std::string_view kKey = "\"usage\"";
    constexpr std::string_view kSpace = " \t\r\n";
    for (std::size_t at = text.find(kKey); at != text.npos; at = text.find(kKey, at)) {
        at += kKey.size();
        const std::size_t colon = text.find_first_not_of(kSpace, at);
        if (colon == text.npos || text[colon] != ':') {
            continue;
        }
        const std::size_t begin = text.find_first_not_of(kSpace, colon + 1);
        if (begin != text.npos && text[begin] == '{') {
            UsageObject(text.substr(begin)).merge_into(usage);
        }
    }
}

}  // namespace warmlane::openai
