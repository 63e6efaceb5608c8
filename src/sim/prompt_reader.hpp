#pragma once

#include "request_fields.hpp"

#include "warmlane/sim/simulated_engine.hpp"

#include <vector>

namespace warmlane::sim {

/// The prompts of a field that takes a string, a list of strings, a list of token ids, or a list of such
/// lists.
std::vector<std::vector<Token>> read_prompts(RequestFields& fields, std::string_view key);

}  // namespace warmlane::sim
