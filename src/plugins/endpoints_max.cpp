#include "plugins/endpoints_max.hpp"

#include <algorithm>

namespace warmlane::plugins {

std::size_t read_endpoints_max(JsonReader& parameters) {
    std::int64_t endpoints_max = 1;
    parameters.read("maxNumOfEndpoints", endpoints_max);
    return static_cast<std::size_t>(std::max<std::int64_t>(endpoints_max, 1));
}

}  // namespace warmlane::plugins
