#include "e2e/support/raw_client.hpp"

#include "e2e/support/http_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>

namespace warmlane::test {
namespace {

SteadyTime after(std::chrono::milliseconds time) {
    return std::chrono::steady_clock::now() + time;
}

unsigned status_of(std::string_view head) {
    unsigned status = 0;
    const std::string_view digits = head.substr(std::min(head.size(), head.find(' ') + 1), 3);
    std::from_chars(digits.data(), digits.data() + digits.size(), status);
    return status;
}

bool has_no_body(unsigned status) {
    return status == 204 || status == 304;
}

}  // namespace

std::string RawResponse::value_of(std::string_view name) const {
    return field_value(head, name).value_or("");
}

bool RawResponse::has(std::string_view name) const {
    return field_value(head, name).has_value();
}

std::size_t RawResponse::count_of(std::string_view name) const {
    return field_count(head, name);
}

void RawClient::send(std::string_view bytes) {
    if (try_send(bytes) != bytes.size()) {
        throw std::runtime_error("the peer did not take what was sent");
    }
}

std::size_t RawClient::try_send(std::string_view bytes, std::chrono::milliseconds time) {
    return socket_.send(bytes, after(time));
}

void RawClient::request(
    std::string_view method, std::string_view target, std::string_view body, std::string_view fields
) {
    std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: t\r\n{}", method, target, fields);
    if (!body.empty()) {
        text += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
    }
    send(fmt::format("{}\r\n{}", text, body));
}

RawResponse RawClient::read_response(std::chrono::milliseconds time, bool to_head_request) {
    const SteadyTime deadline = after(time);
    RawResponse response = head_until(deadline);
    if (response.status != 0) {
        if (to_head_request || has_no_body(response.status)) {
            response.complete = true;
        } else {
            read_body(response, deadline);
        }
    }
    response.end = end_;
    return response;
}

RawResponse RawClient::read_head(std::chrono::milliseconds time) {
    RawResponse response = head_until(after(time));
    response.end = end_;
    return response;
}

RawResponse RawClient::head_until(SteadyTime deadline) {
    RawResponse response;
    while (response.status == 0 || response.status / 100 == 1) {
        const std::optional<std::size_t> end = receive_past("\r\n\r\n", deadline);
        if (!end) {
            return {};
        }
        response.head = input_.substr(0, *end);
        response.status = status_of(response.head);
        input_.erase(0, *end);
    }
    return response;
}

void RawClient::read_body(RawResponse& response, SteadyTime deadline) {
    if (is_chunked(response.head)) {
        while (const std::optional<std::string> chunk = next_chunk(deadline)) {
            response.body += *chunk;
            if (chunk->empty()) {
                response.complete = true;
                return;
            }
        }
        return;
    }
    const std::optional<std::size_t> length = content_length(response.head);
    if (length) {
        response.complete = receive_until(*length, deadline);
        response.body = input_.substr(0, *length);
        input_.erase(0, *length);
        return;
    }
    while (receive(deadline)) {
    }
    response.complete = end_ == PeerEnd::closed;
    response.body = std::exchange(input_, {});
}

Arrival RawClient::read_chunk(std::chrono::milliseconds time) {
    std::optional<std::string> content = next_chunk(after(time));
    return content ? Arrival{std::move(*content), std::chrono::steady_clock::now(), true} : Arrival{};
}

Arrival RawClient::read_event(std::chrono::milliseconds time) {
    const SteadyTime deadline = after(time);
    std::size_t end = event_text_.find("\n\n");
    while (end == std::string::npos) {
        const std::optional<std::string> chunk = next_chunk(deadline);
        if (!chunk || chunk->empty()) {
            return {};
        }
        event_text_ += *chunk;
        end = event_text_.find("\n\n");
    }
    Arrival event{event_text_.substr(0, end + 2), std::chrono::steady_clock::now(), true};
    event_text_.erase(0, end + 2);
    return event;
}

std::string RawClient::read_to_end(std::chrono::milliseconds time) {
    wait_for_end(time);
    return std::exchange(input_, {});
}

PeerEnd RawClient::wait_for_end(std::chrono::milliseconds time) {
    const SteadyTime deadline = after(time);
    while (receive(deadline)) {
    }
    return end_;
}

/// False when nothing more comes: the peer has ended, or time is over.
bool RawClient::receive(SteadyTime deadline) {
    return end_ == PeerEnd::open && socket_.receive(input_, deadline, end_);
}

bool RawClient::receive_until(std::size_t size, SteadyTime deadline) {
    while (input_.size() < size && receive(deadline)) {
    }
    return input_.size() >= size;
}

/// Position behind the first `mark` in the input.
std::optional<std::size_t> RawClient::receive_past(std::string_view mark, SteadyTime deadline) {
    std::size_t found = input_.find(mark);
    while (found == std::string::npos) {
        if (!receive(deadline)) {
            return std::nullopt;
        }
        found = input_.find(mark);
    }
    return found + mark.size();
}

/// Content of the next chunk; the last chunk, whose trailers are dropped, is empty.
std::optional<std::string> RawClient::next_chunk(SteadyTime deadline) {
    const std::optional<std::size_t> line = receive_past("\r\n", deadline);
    if (!line) {
        return std::nullopt;
    }
    std::size_t size = 0;
    const auto [end, ec] = std::from_chars(input_.data(), input_.data() + *line, size, 16);
    if (ec != std::errc()) {
        return std::nullopt;
    }
    if (size == 0) {
        // The line "0" and the empty line behind it, or behind the trailers, end in the same four bytes.
        const std::optional<std::size_t> past = receive_past("\r\n\r\n", deadline);
        if (!past) {
            return std::nullopt;
        }
        input_.erase(0, *past);
        return std::string();
    }
    if (!receive_until(*line + size + 2, deadline)) {
        return std::nullopt;
    }
    std::string content = input_.substr(*line, size);
    input_.erase(0, *line + size + 2);
    return content;
}

RawResponse ask(
    std::uint16_t port,
    std::string_view method,
    std::string_view target,
    std::string_view body,
    std::string_view fields
) {
    RawClient client(port);
    client.request(method, target, body, fields);
    return client.read_response();
}

}  // namespace warmlane::test
