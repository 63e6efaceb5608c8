#pragma once

#include "warmlane/core/json_reader.hpp"

#include <cstddef>

namespace warmlane::plugins {

/// Reads the parameter that all pickers share, `maxNumOfEndpoints`: how many candidates a pick gives, the
/// winner and its fallbacks. Default 1; what is below counts as 1.
std::size_t read_endpoints_max(JsonReader& parameters);

}  // namespace warmlane::plugins
