#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::test {

/// Value of the first field of that name in a head, without regard to case.
std::optional<std::string> field_value(std::string_view head, std::string_view name);
std::size_t field_count(std::string_view head, std::string_view name);
bool is_chunked(std::string_view head);
std::optional<std::size_t> content_length(std::string_view head);

/// `{size}\r\n{content}\r\n`.
std::string chunk(std::string_view content);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

/// A whole answer with its length. `fields` are whole lines, each with its CRLF.
std::string answer_text(
    unsigned status,
    std::string_view body,
    std::string_view content_type = "application/json",
    std::string_view fields = {}
);
/// The head of a stream of server-sent events in chunks.
std::string event_stream_head(std::string_view fields = {});
/// A whole stream: the head, a chunk for each event, the last chunk.
std::string event_stream_text(const std::vector<std::string>& events);
/// `data: {...}\n\n` of a chat stream with one word.
std::string chat_event(std::string_view word);
/// A small chat completion with a usage that tells of cached tokens.
std::string chat_answer(std::string_view text, unsigned prompt_tokens = 10, unsigned cached_tokens = 0);

}  // namespace warmlane::test
