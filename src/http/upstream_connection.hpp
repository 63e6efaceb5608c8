#pragma once

#include "deadline.hpp"
#include "input_buffer.hpp"

#include "warmlane/http/head_parser.hpp"
#include "warmlane/http/upstream.hpp"

#include <boost/asio/buffer.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

namespace warmlane::http {

/// `UpstreamConnection` over a TCP socket. The head of an answer stays at the front of the buffer; the body's
/// batches are read behind it, each over the one before.
class TcpUpstreamConnection final : public UpstreamConnection,
                                    public std::enable_shared_from_this<TcpUpstreamConnection> {
public:
    TcpUpstreamConnection(
        asio::io_context& context, const UpstreamOptions& options, asio::ip::tcp::endpoint endpoint
    );

    const asio::ip::tcp::endpoint& endpoint() const { return endpoint_; }
    Awaitable<error_code> connect();
    /// Nothing has been read and the endpoint has not closed: the connection may serve another request.
    bool looks_alive();
    void mark_reused() { reused_ = true; }

    bool reused() const override { return reused_; }
    void end_by(std::chrono::steady_clock::time_point deadline) override { wanted_end_ = deadline; }
    Awaitable<error_code> send(std::string_view head, std::string_view body) override;
    Awaitable<Result<const ResponseHead*>> read_head(bool to_head_request) override;
    Awaitable<Result<BodyProgress>> read_body(Pieces& content, Pieces& wire) override;
    Result<BodyProgress> buffered_body(Pieces& content, Pieces& wire) override;
    bool at_boundary() const override { return decoder_.at_boundary(); }
    std::uint64_t bytes_received() const override { return bytes_received_; }
    bool reusable() const override;
    void close() override;

private:
    using Buffers = std::array<asio::const_buffer, 2>;

    void begin();
    void expire_after(std::chrono::milliseconds time, Errc reason);
    Awaitable<void> send_rest(Buffers buffers, std::size_t sent);
    void watch_for_early_answer();
    Awaitable<error_code> read_more();
    error_code why(error_code ec) const;
    Result<BodyProgress> take_buffered(Pieces& content, Pieces& wire);

    Socket socket_;
    Deadline deadline_;
    const UpstreamOptions options_;
    const asio::ip::tcp::endpoint endpoint_;
    ResponseHeadParser parser_;
    BodyDecoder decoder_;
    InputBuffer input_;

    std::chrono::steady_clock::time_point wanted_end_ = std::chrono::steady_clock::time_point::max();
    std::chrono::steady_clock::time_point end_;
    /// Bytes of the view before this place are the head and body bytes that were given out.
    std::size_t taken_ = 0;
    std::size_t head_bytes_ = 0;
    std::uint64_t bytes_received_ = 0;
    /// Counts the exchanges, so that a late watch of an old one is told from the current.
    std::uint64_t exchange_ = 0;
    Errc expiry_ = Errc::connect_timeout;
    bool expired_ = false;
    bool reused_ = false;
    bool sent_all_ = false;
    bool early_answer_ = false;
    bool head_read_ = false;
};

}  // namespace warmlane::http
