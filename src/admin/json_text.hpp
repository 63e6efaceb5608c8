#pragma once

#include <boost/json/value.hpp>

#include <string>

namespace warmlane::admin {

/// A value as JSON that people read: `0.25` and `2`, where Boost.JSON writes `2.5E-1` and `2E0`. What is not
/// finite is `null`.
std::string json_text(const boost::json::value& value);

}  // namespace warmlane::admin
