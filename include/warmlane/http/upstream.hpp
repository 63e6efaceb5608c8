#pragma once

#include "warmlane/core/error.hpp"
#include "warmlane/http/body_decoder.hpp"
#include "warmlane/http/message.hpp"
#include "warmlane/http/types.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace warmlane::http {

struct UpstreamOptions {
    std::chrono::milliseconds connect_timeout{2'000};
    /// From the end of the request to the head of the answer.
    std::chrono::milliseconds first_byte_timeout{600'000};
    /// Longest pause inside an answer, and while a request is being sent.
    std::chrono::milliseconds idle_timeout{300'000};
    /// The whole exchange with one endpoint.
    std::chrono::milliseconds total_timeout{3'600'000};
    /// How long an unused connection is kept; below the 5 s after which uvicorn closes it.
    std::chrono::milliseconds keep_alive_timeout{4'000};
    /// Unused connections kept per endpoint and worker.
    std::size_t idle_connections_max = 256;
    /// Bytes of an answer's head.
    std::size_t head_bytes_max = 64 * 1024;
};

/// Where to connect to.
struct UpstreamAddress {
    /// IP literal.
    std::string_view ip;
    std::uint16_t port = 0;
};

/// What a batch of a body means for the rest of it.
enum class BodyProgress : std::uint8_t { more, complete };

class UpstreamConnection;
/// Ends back in the pool when its exchange was complete, else closed. Lives on one thread.
using UpstreamLease = std::shared_ptr<UpstreamConnection>;

/// Connections of one worker to the endpoints, kept alive between requests. Lives on that worker's thread.
class UpstreamPool {
public:
    UpstreamPool(asio::io_context& context, UpstreamOptions options);
    ~UpstreamPool();
    UpstreamPool(const UpstreamPool&) = delete;
    UpstreamPool& operator=(const UpstreamPool&) = delete;

    /// An idle connection that still looks alive, else a new one. `fresh` asks for a new one in any case.
    /// `Errc::connect_failed`, `connect_timeout`, or `asio::error::operation_aborted`.
    Awaitable<Result<UpstreamLease>> acquire(UpstreamAddress address, bool fresh);

    /// Gives a connection back after `UpstreamConnection::reusable()`; closes it otherwise.
    void release(UpstreamLease connection);

    /// Closes every idle connection.
    void clear();

    const UpstreamOptions& options() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

/// One HTTP/1.1 connection to an endpoint: send a request, read the head, read the body.
class UpstreamConnection {
public:
    virtual ~UpstreamConnection() = default;

    /// It has served a request before, so the endpoint may have closed it in the meantime.
    virtual bool reused() const = 0;

    /// The whole exchange ends by then, if that is sooner than `UpstreamOptions::total_timeout`; for the next
    /// `send`.
    virtual void end_by(std::chrono::steady_clock::time_point deadline) = 0;

    /// Sends head and body in gathered writes. An answer that comes before all of it was sent ends the
    /// sending; that is no error, `read_head` gives the answer.
    virtual Awaitable<error_code> send(std::string_view head, std::string_view body) = 0;

    /// The final head of the answer; interim ones are dropped. The head lives until the next `send`.
    /// `Errc::upstream_closed` when it closed before a complete head, `bad_response`, `first_byte_timeout`.
    virtual Awaitable<Result<const ResponseHead*>> read_head(bool to_head_request) = 0;

    /// The next batch of the body, in the pieces given (cleared first): whatever has arrived, at least one
    /// byte unless the body is over. Views live until the next call. `Errc::upstream_closed`, `bad_response`,
    /// `idle_timeout`, `total_timeout`.
    virtual Awaitable<Result<BodyProgress>> read_body(Pieces& content, Pieces& wire) = 0;

    /// Like `read_body`, but only what is in the buffer already: never waits. Empty pieces when there is
    /// nothing.
    virtual Result<BodyProgress> buffered_body(Pieces& content, Pieces& wire) = 0;

    /// A chunk of our own may begin after what `read_body` gave so far.
    virtual bool at_boundary() const = 0;
    /// Bytes that came back since the last `send`.
    virtual std::uint64_t bytes_received() const = 0;
    /// The answer was complete, nothing is left over, and both sides want to go on.
    virtual bool reusable() const = 0;
    virtual void close() = 0;
};

}  // namespace warmlane::http
