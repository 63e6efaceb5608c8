#include "e2e/support/http_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace warmlane::test {
namespace {

std::string lowered(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return out;
}

std::vector<std::string> values_of(std::string_view head, std::string_view name) {
    std::vector<std::string> values;
    const std::string wanted = lowered(name);
    std::size_t begin = head.find("\r\n");
    while (begin != std::string_view::npos) {
        const std::size_t end = head.find("\r\n", begin + 2);
        const std::string_view line = head.substr(begin + 2, end - begin - 2);
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos && lowered(line.substr(0, colon)) == wanted) {
            const std::string_view value = line.substr(colon + 1);
            const std::size_t text = value.find_first_not_of(" \t");
            values.emplace_back(text == std::string_view::npos ? std::string_view() : value.substr(text));
        }
        begin = end;
    }
    return values;
}

}  // namespace

std::optional<std::string> field_value(std::string_view head, std::string_view name) {
    const std::vector<std::string> values = values_of(head, name);
    return values.empty() ? std::nullopt : std::optional(values.front());
}

std::size_t field_count(std::string_view head, std::string_view name) {
    return values_of(head, name).size();
}

bool is_chunked(std::string_view head) {
    return lowered(field_value(head, "Transfer-Encoding").value_or("")) == "chunked";
}

std::optional<std::size_t> content_length(std::string_view head) {
    const std::optional<std::string> text = field_value(head, "Content-Length");
    std::size_t length = 0;
    if (!text || std::from_chars(text->data(), text->data() + text->size(), length).ec != std::errc()) {
        return std::nullopt;
    }
    return length;
}

std::string chunk(std::string_view content) {
    return fmt::format("{:x}\r\n{}\r\n", content.size(), content);
}

std::string answer_text(
    unsigned status, std::string_view body, std::string_view content_type, std::string_view fields
) {
    return fmt::format(
        "HTTP/1.1 {} Scripted\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}\r\n{}",
        status,
        content_type,
        body.size(),
        fields,
        body
    );
}

std::string event_stream_head(std::string_view fields) {
    return fmt::format(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: "
        "chunked\r\n{}\r\n",
        fields
    );
}

std::string event_stream_text(const std::vector<std::string>& events) {
    std::string text = event_stream_head();
    for (const std::string& event : events) {
        text += chunk(event);
    }
    return text += kLastChunk;
}

std::string chat_event(std::string_view word) {
    return fmt::format(
        R"(data: {{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m",)"
        R"("choices":[{{"index":0,"delta":{{"content":"{}"}},"finish_reason":null}}]}})"
        "\n\n",
        word
    );
}

std::string chat_answer(std::string_view text, unsigned prompt_tokens, unsigned cached_tokens) {
    return answer_text(
        200,
        fmt::format(
            R"({{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{{"index":0,)"
            R"("message":{{"role":"assistant","content":"{}"}},"finish_reason":"stop"}}],)"
            R"("usage":{{"prompt_tokens":{},"total_tokens":{},"completion_tokens":1,)"
            R"("prompt_tokens_details":{{"cached_tokens":{}}}}}}})",
            text,
            prompt_tokens,
            prompt_tokens + 1,
            cached_tokens
        )
    );
}

}  // namespace warmlane::test
