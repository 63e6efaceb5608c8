#pragma once

#include "deadline.hpp"

#include "warmlane/http/exchange.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/container/static_vector.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace warmlane::http {

/// Writes the answers of one connection, one after the other: heads with their framing, and bodies in that
/// framing.
class ResponseWriter {
public:
    ResponseWriter(Socket& socket, Deadline& deadline, std::chrono::milliseconds write_timeout)
        : socket_(socket), deadline_(deadline), write_timeout_(write_timeout) {}

    /// Ready for the answer to `request`.
    void reset(const RequestHead& request);

    Awaitable<error_code> respond(const Response& response, bool close);
    Awaitable<error_code> start(Exchange::Start start, const Pieces& content, const Pieces& wire, bool close);
    Awaitable<error_code> write(const Pieces& content, const Pieces& wire);
    Awaitable<error_code> inject(std::string_view content);
    Awaitable<error_code> finish();
    Awaitable<error_code> write_raw(std::string_view bytes);

    bool started() const { return status_ != 0; }
    bool complete() const { return complete_; }
    unsigned status() const { return status_; }
    std::uint64_t bytes() const { return bytes_; }
    /// The answer has no end but that of the connection.
    bool ends_with_connection() const { return body_mode_ == BodyMode::plain_until_close; }

private:
    enum class BodyMode : std::uint8_t {
        /// No body is sent.
        none,
        /// What the endpoint framed goes on as it is.
        wire,
        /// Content is framed here, a chunk per batch.
        chunks,
        /// Content goes out as it is, and the connection closes behind it.
        plain_until_close,
    };
    using Buffers = boost::container::static_vector<asio::const_buffer, Pieces::kMax + 4>;

    BodyMode choose_mode(BodyFraming body) const;
    void append_framing(BodyFraming body, bool close);
    void append_body(Buffers& out, const Pieces& content, const Pieces& wire);
    Awaitable<error_code> send(Buffers buffers);

    Socket& socket_;
    Deadline& deadline_;
    const std::chrono::milliseconds write_timeout_;

    bool to_head_request_ = false;
    bool client_takes_chunks_ = true;
    BodyMode body_mode_ = BodyMode::none;
    bool complete_ = false;
    unsigned status_ = 0;
    std::uint64_t bytes_ = 0;
    std::string head_;
    std::string chunk_size_;
};

}  // namespace warmlane::http
