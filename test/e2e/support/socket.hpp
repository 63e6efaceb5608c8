#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace warmlane::test {

using SteadyTime = std::chrono::steady_clock::time_point;

/// How the other side's sending ended.
enum class PeerEnd : std::uint8_t {
    /// It has not.
    open,
    /// In order: FIN.
    closed,
    /// By a reset.
    reset,
};

/// A descriptor with blocking operations that have deadlines. Loopback only.
class Socket {
public:
    Socket() = default;
    explicit Socket(int descriptor) : descriptor_(descriptor) {}
    ~Socket() { close(); }
    Socket(Socket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    Socket& operator=(Socket&& other) noexcept;
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;

    /// Throws when nobody listens there.
    static Socket connect(std::uint16_t port);
    /// Throws when the port is taken; 0 is any free one.
    static Socket listen(std::uint16_t port);

    std::uint16_t port() const;
    int descriptor() const { return descriptor_; }
    bool is_open() const { return descriptor_ >= 0; }

    /// Appends what has arrived to `out`, at least a byte; waits until `deadline`.
    ///
    /// @return true when bytes were added; else `end` tells whether the peer has ended or time is over
    /// (`open`).
    bool receive(std::string& out, SteadyTime deadline, PeerEnd& end) const;
    /// Sends as much as the socket takes until `deadline`; fewer bytes than given when time is over or the
    /// peer is gone.
    std::size_t send(std::string_view bytes, SteadyTime deadline) const;

    /// Says that nothing more will be sent.
    void shutdown_send() const;
    void close();
    /// Closes so that the peer gets a reset.
    void reset();
    /// Small buffers, so that a slow reader is felt soon. Before the connection is used.
    void shrink_buffers(int bytes) const;

private:
    int descriptor_ = -1;
};

/// Waits for events (as poll has them) on one or two descriptors, a negative one is left out; the events of
/// the first, 0 when time is over or the second one woke it.
short wait_for(int descriptor, short events, SteadyTime deadline, int waker = -1);

}  // namespace warmlane::test
