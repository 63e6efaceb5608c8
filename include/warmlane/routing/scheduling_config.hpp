#pragma once

#include <boost/json/value.hpp>

#include <optional>
#include <string>
#include <vector>

namespace warmlane::routing {

/// An entry of `plugins`.
struct PluginSpec {
    std::string name;
    std::string type;
    boost::json::value parameters;
    /// Where the entry stands, like `plugins[2]`; for error messages.
    std::string path;
};

/// An entry of a profile's `plugins`.
struct PluginRef {
    std::string name;
    /// Only for scorers; absent means 1.
    std::optional<double> weight;
    std::string path;
};

struct ProfileSpec {
    std::string name;
    std::vector<PluginRef> plugins;
    std::string path;
};

/// What `plugins` and `schedulingProfiles` of a configuration say, before anything is built.
struct SchedulingConfig {
    std::vector<PluginSpec> plugins;
    std::vector<ProfileSpec> profiles;

    /// `queue-scorer` 2, `kv-cache-utilization-scorer` 2, `prefix-cache-scorer` 3 in the profile `default`.
    static SchedulingConfig default_config();
};

}  // namespace warmlane::routing
