#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warmlane::http {

/// The path as an endpoint may come to read it, for comparing with known paths and never for sending:
/// percent-escapes are decoded, empty and `.` segments left out. Absent when it holds what no honest client
/// sends: a
/// `..` segment, a backslash or a control character, in plain or escaped.
///
/// @param storage  holds the result where it differs from `path`; most paths come back as they are.
std::optional<std::string_view> normal_path(std::string_view path, std::string& storage);

}  // namespace warmlane::http
