#pragma once

#include <boost/json/value.hpp>

#include <cstdint>

namespace warmlane::sim {

/// A value that fits a JSON schema as tools use them: types, enumerations, required and optional properties,
/// items of arrays; nested up to eight levels, `null` below. What it does not understand becomes a word.
boost::json::value value_of_schema(const boost::json::value& schema, std::uint64_t seed);

}  // namespace warmlane::sim
