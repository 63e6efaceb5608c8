#pragma once

#include "warmlane/core/error.hpp"
#include "warmlane/http/body_decoder.hpp"
#include "warmlane/http/message.hpp"
#include "warmlane/http/types.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::http {

/// A whole answer made by ourselves.
struct Response {
    unsigned status = 200;
    std::vector<OwnedField> fields;
    std::string body;
    std::string_view content_type = "application/json";
};

/// One request and its answer on a client's connection, as its handler sees them. Lives on the connection's
/// thread, for as long as `Handler::handle` runs. When the client goes away, the operation that the handler
/// waits for is cancelled, whatever it is, and `client_gone()` is true from then on.
class Exchange {
public:
    virtual ~Exchange() = default;

    virtual const RequestHead& head() const = 0;
    /// IP literal without port.
    virtual std::string_view client_address() const = 0;
    virtual bool client_gone() const = 0;
    /// When the first byte of the request was there.
    virtual std::chrono::steady_clock::time_point received_at() const = 0;

    /// Reads the whole body, telling the client to go on when it asks. The view lives as long as the
    /// exchange. `Errc::body_too_large` (before reading, where the length is known), `bad_request_body`,
    /// `client_too_slow`, `client_gone`. Call once.
    virtual Awaitable<Result<std::string_view>> read_body(std::size_t limit) = 0;

    /// Sends a whole answer; nothing has been sent before.
    virtual Awaitable<error_code> respond(const Response& response) = 0;

    /// Begins an answer whose body comes in pieces. `fields` is a run of complete header lines as HeadBuilder
    /// makes them, without framing and Connection, which are added here; `first` goes out with the head in
    /// one write. The framing that the client gets is chosen from `body`: the same, except that what ends
    /// with the connection becomes chunked, and that a client of HTTP/1.0 gets no chunks.
    struct Start {
        unsigned status = 200;
        std::string_view reason;
        std::string_view fields;
        BodyFraming body;
    };
    virtual Awaitable<error_code> start(Start start, const Pieces& content, const Pieces& wire) = 0;

    /// Passes on a batch of the body: `wire` where the client's framing is that of `Start::body`, else
    /// `content` framed anew. Returns once the socket took all of it.
    virtual Awaitable<error_code> write(const Pieces& content, const Pieces& wire) = 0;

    /// Sends content of our own in the middle of an answer; only where `Start::body` allows a chunk to begin.
    virtual Awaitable<error_code> inject(std::string_view content) = 0;

    /// The body is complete. Without this call the connection is closed so that the answer never looks
    /// complete.
    virtual Awaitable<error_code> finish() = 0;

    virtual bool response_started() const = 0;
    /// Status that was sent; 0 before.
    virtual unsigned response_status() const = 0;
    /// Bytes of the answer written so far, head included.
    virtual std::uint64_t bytes_sent() const = 0;

    /// Sends bytes as they are, outside HTTP: for a server that misbehaves on purpose. The connection ends
    /// with the exchange.
    virtual Awaitable<error_code> write_raw(std::string_view bytes) = 0;
    /// The connection ends with the exchange, by a reset when `reset` is set.
    virtual void close_after(bool reset) = 0;
    virtual Executor executor() const = 0;
};

/// Serves exchanges; one object serves all connections of a worker, on that worker's thread.
class Handler {
public:
    virtual ~Handler() = default;

    /// Runs one exchange to its end. Returning without an answer closes the connection. Does not throw.
    virtual Awaitable<void> handle(Exchange& exchange) = 0;
};

}  // namespace warmlane::http
