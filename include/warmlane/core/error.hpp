#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <string>
#include <type_traits>

namespace warmlane {

using boost::system::error_code;

/// A value or the reason why there is none.
template <class T>
using Result = boost::system::result<T>;

/// What can go wrong on the request path, apart from the operating system's own errors.
/// The comment of a value names the HTTP status that it becomes when the client must be told.
enum class Errc {
    /// The request head breaks a rule of HTTP/1.1; 400.
    bad_request_head = 1,
    /// The request body breaks its own framing; 400.
    bad_request_body,
    /// The request body is longer than the limit; 413.
    body_too_large,
    /// The client sent its head or body too slowly; 408.
    client_too_slow,
    /// The client closed its side or reset the connection; nothing is sent.
    client_gone,
    /// The body of an inference request is not the JSON that its path takes; 400.
    bad_json,
    /// No endpoint is known, up and allowed for the request; 503.
    no_endpoint,
    /// Filters left no candidate, or every candidate is at its limit; 429.
    saturated,
    /// No connection to the endpoint could be made; 502.
    connect_failed,
    /// No connection to the endpoint was made in time; 504.
    connect_timeout,
    /// The endpoint closed or reset the connection before its answer was complete; 502.
    upstream_closed,
    /// The endpoint sent something that is not an HTTP/1.1 answer; 502.
    bad_response,
    /// The endpoint sent no first byte in time; 504.
    first_byte_timeout,
    /// The endpoint paused for too long in the middle of its answer; 504 when nothing was sent.
    idle_timeout,
    /// The whole exchange took too long; 504 when nothing was sent.
    total_timeout,
    /// The process is shutting down; 503.
    shutting_down,
};

/// The category of `Errc`; its name is "warmlane".
const boost::system::error_category& error_category() noexcept;

inline error_code make_error_code(Errc code) noexcept {
    return {static_cast<int>(code), error_category()};
}

}  // namespace warmlane

template <>
struct boost::system::is_error_code_enum<warmlane::Errc> : std::true_type {};
