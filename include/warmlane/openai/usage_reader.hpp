#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warmlane::openai {

/// Token counts that an answer reports.
struct Usage {
    std::optional<std::uint64_t> prompt_tokens;
    std::optional<std::uint64_t> completion_tokens;
    /// Prompt tokens that came from the engine's cache.
    std::optional<std::uint64_t> cached_tokens;
};

/// Finds the token counts in an answer's body while it streams past, wherever its bytes are split. Reads
/// OpenAI's `usage` (chat, completions, responses) and Anthropic's, in a JSON body and in server-sent events;
/// the last one wins. Keeps at most `kKeptBytes` of an answer, whatever its length, and never delays a byte.
class UsageReader {
public:
    static constexpr std::size_t kKeptBytes = 16 * 1024;

    enum class Body { json, events };

    explicit UsageReader(Body body) : body_(body) {}

    /// Content bytes of the answer, in order, without chunk framing.
    void feed(std::string_view bytes);

    /// What has been found; complete after the last byte was fed.
    Usage finish();

    /// A stream's last event has passed: `data: [DONE]`, or Anthropic's `event: message_stop`, or that of the
    /// responses API.
    bool done_seen() const { return done_seen_; }

private:
    void keep(std::string_view bytes);
    void feed_events(std::string_view bytes);
    void take_line(std::string_view line);

    const Body body_;
    bool done_seen_ = false;
    /// What is kept is the tail of a longer text, or of a longer line.
    bool overlong_ = false;
    /// That longer text is JSON, or that longer line is data.
    bool holds_data_ = false;
    /// A JSON body or the line of a stream, as far as it has come.
    std::string kept_;
    Usage usage_;
};

}  // namespace warmlane::openai
