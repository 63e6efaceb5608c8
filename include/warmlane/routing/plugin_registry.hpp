#pragma once

#include "warmlane/core/json_reader.hpp"
#include "warmlane/routing/plugin.hpp"

#include <memory>
#include <span>
#include <string_view>

namespace warmlane::routing {

/// Makes one plugin from its `parameters`. Reads every key it knows, reports what is wrong through the
/// reader, and always returns an object, so that further errors can be found; `finish()` is the caller's.
using PluginFactory = std::unique_ptr<Plugin> (*)(JsonReader& parameters);

/// One row of the table of plugin types.
struct PluginType {
    /// As configurations write it, like `queue-scorer`.
    std::string_view type;
    /// Null for a type that is known elsewhere and not run here; `note` then says why, in one sentence.
    PluginFactory make = nullptr;
    /// One line for people.
    std::string_view note;
};

/// The types that a configuration may name: a view of one fixed table. Any thread.
class PluginRegistry {
public:
    explicit PluginRegistry(std::span<const PluginType> types) : types_(types) {}

    /// Null when the name is not in the table.
    const PluginType* find(std::string_view type) const;
    std::span<const PluginType> types() const { return types_; }

private:
    std::span<const PluginType> types_;
};

}  // namespace warmlane::routing
