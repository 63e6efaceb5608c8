#pragma once

#include <array>
#include <chrono>

namespace warmlane::http {

/// `Sun, 06 Nov 1994 08:49:37 GMT`, whatever the locale (RFC 9110, 5.6.7); years 0 to 9999.
using HttpDate = std::array<char, 29>;
HttpDate format_http_date(std::chrono::sys_seconds time);

}  // namespace warmlane::http
