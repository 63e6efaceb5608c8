#pragma once

#include "warmlane/core/endpoint.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace warmlane::openai {

/// The entries of an endpoint's `/v1/models` answer; empty when it is not one. Entries without an id, and
/// ids seen before, are left out; at most 1,000 are kept.
std::vector<EndpointStatus::Model> read_model_list(std::string_view body);

/// One `/v1/models` answer with the models of all endpoints that take traffic, each id once, sorted by id.
std::string union_model_list(const PoolSnapshot& pool);

}  // namespace warmlane::openai
