#pragma once

#include "warmlane/http/head_parser.hpp"

#include <cstddef>
#include <string_view>

namespace warmlane::http {

/// Longest method that is looked at.
inline constexpr std::size_t kMethodBytesMax = 32;

struct RequestLine {
    std::string_view method;
    /// Origin-form, or `*` for OPTIONS.
    std::string_view target;
    /// Of a target in absolute-form, else empty.
    std::string_view authority;
    unsigned minor_version = 1;
};

/// Reads a request line without control characters (RFC 9112, 3). Methods are those of RFC 9110 and PATCH;
/// CONNECT and TRACE are refused with 405, others with 501.
HeadFault parse_request_line(std::string_view line, std::size_t target_bytes_max, RequestLine& out);

/// `host [":" port]` with a name, an IPv4 address or an IPv6 address in brackets, and a port up to 65535.
bool is_valid_authority(std::string_view authority);

}  // namespace warmlane::http
