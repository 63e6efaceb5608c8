#pragma once

#include <boost/json/value.hpp>

#include <string_view>

namespace warmlane::config {

/// What an unquoted YAML scalar stands for, by the core schema of YAML 1.2: null, `true` and `false`,
/// integers (also `0x` and `0o`), floating-point numbers, and else a string. `yes`, `on` and the like are
/// strings.
boost::json::value parse_plain_scalar(std::string_view text);

}  // namespace warmlane::config
