#pragma once

#include <string_view>
#include <vector>

namespace warmlane::datalayer {

/// Names that `EndpointSpec::engine` may have, the default one first. An endpoint with any other name is read
/// like the default one.
std::vector<std::string_view> engines();

}  // namespace warmlane::datalayer
