#pragma once

#include "warmlane/routing/plugin_registry.hpp"
#include "warmlane/routing/scheduling_config.hpp"

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::routing {

/// One plugin of a configuration.
struct PluginInstance {
    std::string name;
    /// Where it is declared; empty for one that completes the configuration.
    std::string path;
    /// Null when it could not be made.
    std::unique_ptr<Plugin> plugin;

    /// The plugin in one of its roles; null when it has not that role or could not be made.
    template <class Role>
    Role* as() const {
        return dynamic_cast<Role*>(plugin.get());
    }
};

/// The plugins of a configuration while it is built, by name and in the order of their declaration.
class PluginSet {
public:
    /// Both outlive the set; `errors` is appended to.
    PluginSet(const PluginRegistry& registry, std::vector<ReadError>& errors)
        : registry_(registry), errors_(errors) {}

    /// Makes a plugin. One with an error is kept by its name, so that references to it are no errors too.
    void declare(const PluginSpec& spec);

    /// Adds a plugin that the configuration left out; null when it cannot be made, which is an error.
    const PluginInstance* complete(std::string_view type);

    /// Null when nothing of that name is declared.
    const PluginInstance* find(std::string_view name) const;
    std::vector<std::string> names() const;
    /// A declared plugin could not be made, and any role may be missing for that reason.
    bool any_broken() const;

    /// Pointers stay valid while the set lives.
    template <class Role>
    std::vector<const PluginInstance*> all() const {
        std::vector<const PluginInstance*> found;
        for (const PluginInstance& instance : instances_) {
            if (instance.as<Role>() != nullptr) {
                found.push_back(&instance);
            }
        }
        return found;
    }
    const std::deque<PluginInstance>& instances() const { return instances_; }

    /// Hands the plugins over; names and paths stay.
    std::vector<std::unique_ptr<Plugin>> release();

private:
    std::unique_ptr<Plugin> make(const PluginSpec& spec);

    const PluginRegistry& registry_;
    std::vector<ReadError>& errors_;
    // A deque, since pointers to its elements are kept while it grows.
    std::deque<PluginInstance> instances_;
};

/// Path of a key below `path`, the root's being empty.
std::string below(const std::string& path, std::string_view key);

}  // namespace warmlane::routing
