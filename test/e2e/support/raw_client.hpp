#pragma once

#include "e2e/support/socket.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::test {

inline constexpr std::chrono::milliseconds kClientTime{5'000};

/// A final answer as far as it came.
struct RawResponse {
    /// 0 when no whole head came.
    unsigned status = 0;
    /// Start line and fields as they came, with the empty line.
    std::string head;
    /// Content without framing.
    std::string body;
    /// The body came to the end that its framing gives it.
    bool complete = false;
    /// How the peer had ended its side when reading stopped; `open` with `complete` false means that time was
    /// over.
    PeerEnd end = PeerEnd::open;

    /// Value of the first field of that name, without regard to case; empty when absent.
    std::string value_of(std::string_view name) const;
    bool has(std::string_view name) const;
    /// How many fields have that name.
    std::size_t count_of(std::string_view name) const;
};

/// One chunk or event of a body, and when its last byte was there. Reads like an optional, but may be looked
/// into when nothing came: its content says so then, which no chunk does.
struct Arrival {
    std::string content = "(nothing came)";
    SteadyTime at;
    bool came = false;

    bool has_value() const { return came; }
    explicit operator bool() const { return came; }
    const Arrival* operator->() const { return this; }
};

/// A client that sends exactly what it is told and shows exactly what came. Every wait has a deadline.
class RawClient {
public:
    /// Connects on loopback; throws when nobody listens.
    explicit RawClient(std::uint16_t port) : socket_(Socket::connect(port)) {}

    /// Sends all of it; throws when the peer does not take it in time.
    void send(std::string_view bytes);
    /// As far as the peer takes it; the number of bytes.
    std::size_t try_send(std::string_view bytes, std::chrono::milliseconds time = kClientTime);
    /// Sends a request with Host, and Content-Length and Content-Type where `body` is not empty. `fields` are
    /// whole lines, each with its CRLF.
    void request(
        std::string_view method,
        std::string_view target,
        std::string_view body = {},
        std::string_view fields = {}
    );

    /// The next final answer with its whole body; interim answers are dropped. Never throws.
    RawResponse read_response(std::chrono::milliseconds time = kClientTime, bool to_head_request = false);
    /// The head of the next final answer alone; the body is for `read_chunk`.
    RawResponse read_head(std::chrono::milliseconds time = kClientTime);
    /// The next chunk behind a head that said chunked; the last one is empty. Nothing when the connection
    /// ended or time was over.
    Arrival read_chunk(std::chrono::milliseconds time = kClientTime);
    /// The next server-sent event of a chunked body, up to its empty line, whatever chunks it is cut into.
    Arrival read_event(std::chrono::milliseconds time = kClientTime);

    /// Everything until the peer ends its side or time is over.
    std::string read_to_end(std::chrono::milliseconds time = kClientTime);
    /// Waits until the peer has ended its side; bytes that still come are kept in `buffered`. `open` when
    /// time is over.
    PeerEnd wait_for_end(std::chrono::milliseconds time = kClientTime);

    /// Bytes that came and nobody has read yet.
    const std::string& buffered() const { return input_; }
    PeerEnd peer_end() const { return end_; }

    void shutdown_send() { socket_.shutdown_send(); }
    void close() { socket_.close(); }
    void reset() { socket_.reset(); }
    Socket& socket() { return socket_; }

private:
    bool receive(SteadyTime deadline);
    bool receive_until(std::size_t size, SteadyTime deadline);
    std::optional<std::size_t> receive_past(std::string_view mark, SteadyTime deadline);
    std::optional<std::string> next_chunk(SteadyTime deadline);
    RawResponse head_until(SteadyTime deadline);
    void read_body(RawResponse& response, SteadyTime deadline);

    Socket socket_;
    std::string input_;
    std::string event_text_;
    PeerEnd end_ = PeerEnd::open;
};

/// One request on a connection of its own.
RawResponse ask(
    std::uint16_t port,
    std::string_view method,
    std::string_view target,
    std::string_view body = {},
    std::string_view fields = {}
);

}  // namespace warmlane::test
