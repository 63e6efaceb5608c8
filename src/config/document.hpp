#pragma once

#include "warmlane/config/origin.hpp"
#include "warmlane/config/sources.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace warmlane::config {

/// A configuration before anyone has read a meaning into it: values, and where each was given.
struct Document {
    /// An object, or null when nothing was given.
    boost::json::value root;
    Origins origins;

    /// Puts a value at `path` (keys only, objects on the way are made), in place of what is there. No effect
    /// where something else than an object is in the way.
    void set(std::string_view path, boost::json::value value, const Origin& origin);
};

/// Reads a YAML (or JSON) document into `document`, which is empty. Every value is expanded (`expand`), then
/// typed. Faults have a line each: broken syntax, a key that stands twice, a reference to no variable, too
/// many or too deep values once aliases are resolved.
void read_yaml(
    std::string_view text, const ConfigSources& sources, Document& document, std::vector<ConfigError>& errors
);

}  // namespace warmlane::config
