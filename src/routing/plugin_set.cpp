#include "routing/plugin_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warmlane::routing {

std::string below(const std::string& path, std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
}

void PluginSet::declare(const PluginSpec& spec) {
    const std::string& name = spec.name.empty() ? spec.type : spec.name;
    std::unique_ptr<Plugin> plugin = make(spec);
    if (const PluginInstance* taken = name.empty() ? nullptr : find(name)) {
        errors_.push_back(
            {below(spec.path, "name"), fmt::format("the name {} is taken by {}", quoted(name), taken->path)}
        );
        return;
    }
    instances_.push_back({name, spec.path, std::move(plugin)});
}

const PluginInstance* PluginSet::complete(std::string_view type) {
    PluginSpec spec;
    spec.type = type;
    const PluginInstance& instance = instances_.emplace_back(PluginInstance{spec.type, "", make(spec)});
    return instance.plugin == nullptr ? nullptr : &instance;
}

std::unique_ptr<Plugin> PluginSet::make(const PluginSpec& spec) {
    const std::string path = below(spec.path, "type");
    if (spec.type.empty()) {
        errors_.push_back({path, "every plugin needs a type"});
        return nullptr;
    }
    const PluginType* type = registry_.find(spec.type);
    if (type == nullptr) {
        std::vector<std::string> known;
        for (const PluginType& row : registry_.types()) {
            known.emplace_back(row.type);
        }
        const std::string hint = did_you_mean(spec.type, known);
        errors_.push_back({path, fmt::format("unknown plugin type {}{}", quoted(spec.type), hint)});
        return nullptr;
    }
    if (type->make == nullptr) {
        errors_.push_back(
            {path, fmt::format("plugin type {} is not run here: {}", quoted(spec.type), type->note)}
        );
        return nullptr;
    }
    JsonReader parameters(spec.parameters, below(spec.path, "parameters"), errors_);
    std::unique_ptr<Plugin> plugin = type->make(parameters);
    parameters.finish();
    return plugin;
}

const PluginInstance* PluginSet::find(std::string_view name) const {
    const auto found =
        std::find_if(instances_.begin(), instances_.end(), [name](const PluginInstance& instance) {
            return instance.name == name;
        });
    return found == instances_.end() ? nullptr : &*found;
}

std::vector<std::string> PluginSet::names() const {
    std::vector<std::string> names;
    names.reserve(instances_.size());
    for (const PluginInstance& instance : instances_) {
        names.push_back(instance.name);
    }
    return names;
}

bool PluginSet::any_broken() const {
    return std::any_of(instances_.begin(), instances_.end(), [](const PluginInstance& instance) {
        return instance.plugin == nullptr;
    });
}

std::vector<std::unique_ptr<Plugin>> PluginSet::release() {
    std::vector<std::unique_ptr<Plugin>> plugins;
    plugins.reserve(instances_.size());
    for (PluginInstance& instance : instances_) {
        plugins.push_back(std::move(instance.plugin));
    }
    return plugins;
}

}  // namespace warmlane::routing
