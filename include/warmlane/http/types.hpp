#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/basic_waitable_timer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>

namespace warmlane::http {

namespace asio = boost::asio;

/// The concrete executor everywhere: no type erasure on the request path.
using Executor = asio::io_context::executor_type;

template <class T>
using Awaitable = asio::awaitable<T, Executor>;

using Socket = asio::basic_stream_socket<asio::ip::tcp, Executor>;

using Timer = asio::
    basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>;

/// The one completion token: the error comes back as a value.
inline constexpr auto as_result = asio::as_tuple(asio::use_awaitable_t<Executor>{});

}  // namespace warmlane::http
