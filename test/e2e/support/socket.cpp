#include "e2e/support/socket.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdexcept>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace warmlane::test {
namespace {

constexpr int kBacklog = 1'024;
constexpr std::size_t kReceiveBytes = 64 * 1024;

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

Socket make_socket() {
    Socket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!socket.is_open()) {
        fail("socket");
    }
    const int on = 1;
    ::setsockopt(socket.descriptor(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    ::setsockopt(socket.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return socket;
}

int milliseconds_until(SteadyTime deadline) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
}

}  // namespace

Socket& Socket::operator=(Socket&& other) noexcept {
    if (this != &other) {
        close();
        descriptor_ = std::exchange(other.descriptor_, -1);
    }
    return *this;
}

Socket Socket::connect(std::uint16_t port) {
    Socket socket = make_socket();
    const sockaddr_in address = loopback(port);
    if (::connect(socket.descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        fail("connect");
    }
    return socket;
}

Socket Socket::listen(std::uint16_t port) {
    Socket socket = make_socket();
    const sockaddr_in address = loopback(port);
    if (::bind(socket.descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        fail("bind");
    }
    if (::listen(socket.descriptor_, kBacklog) != 0) {
        fail("listen");
    }
    return socket;
}

std::uint16_t Socket::port() const {
    sockaddr_in address{};
    socklen_t size = sizeof(address);
    if (::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
        fail("getsockname");
    }
    return ntohs(address.sin_port);
}

bool Socket::receive(std::string& out, SteadyTime deadline, PeerEnd& end) const {
    end = PeerEnd::open;
    if (wait_for(descriptor_, POLLIN, deadline) == 0) {
        return false;
    }
    std::array<char, kReceiveBytes> buffer{};
    const ssize_t bytes = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
    if (bytes > 0) {
        out.append(buffer.data(), static_cast<std::size_t>(bytes));
        return true;
    }
    end = bytes == 0 ? PeerEnd::closed : PeerEnd::reset;
    return false;
}

std::size_t Socket::send(std::string_view bytes, SteadyTime deadline) const {
    std::size_t sent = 0;
    while (sent < bytes.size() && (wait_for(descriptor_, POLLOUT, deadline) & POLLOUT) != 0) {
        const ssize_t taken =
            ::send(descriptor_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (taken < 0 && errno != EAGAIN && errno != EINTR) {
            break;
        }
        sent += static_cast<std::size_t>(std::max<ssize_t>(taken, 0));
    }
    return sent;
}

void Socket::shutdown_send() const {
    ::shutdown(descriptor_, SHUT_WR);
}

void Socket::close() {
    if (is_open()) {
        ::close(std::exchange(descriptor_, -1));
    }
}

void Socket::reset() {
    if (is_open()) {
        const linger at_once{1, 0};
        ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
        close();
    }
}

void Socket::shrink_buffers(int bytes) const {
    ::setsockopt(descriptor_, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
    ::setsockopt(descriptor_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
}

short wait_for(int descriptor, short events, SteadyTime deadline, int waker) {
    std::array<pollfd, 2> watched{{{descriptor, events, 0}, {waker, POLLIN, 0}}};
    int ready = -1;
    while (ready < 0) {
        ready = ::poll(watched.data(), watched.size(), milliseconds_until(deadline));
        if (ready < 0 && errno != EINTR) {
            fail("poll");
        }
    }
    return watched[0].revents;
}

}  // namespace warmlane::test
