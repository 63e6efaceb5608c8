#include "warmlane/routing/plugin_registry.hpp"

#include <algorithm>

namespace warmlane::routing {

const PluginType* PluginRegistry::find(std::string_view type) const {
    const auto row = std::find_if(types_.begin(), types_.end(), [type](const PluginType& candidate) {
        return candidate.type == type;
    });
    return row == types_.end() ? nullptr : &*row;
}

}  // namespace warmlane::routing
