#pragma once

#include "warmlane/core/json_reader.hpp"
#include "warmlane/routing/scheduling_config.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warmlane::test {

namespace detail {

inline std::string text_of(const boost::json::value& entry, std::string_view key) {
    const boost::json::value* value = entry.as_object().if_contains(key);
    return value == nullptr ? std::string() : boost::json::value_to<std::string>(*value);
}

inline routing::PluginSpec plugin_of(const boost::json::value& entry, std::string path) {
    const boost::json::value* parameters = entry.as_object().if_contains("parameters");
    return {
        text_of(entry, "name"),
        text_of(entry, "type"),
        parameters == nullptr ? boost::json::value(nullptr) : *parameters,
        std::move(path)
    };
}

inline routing::ProfileSpec profile_of(const boost::json::value& entry, std::string path) {
    routing::ProfileSpec profile{text_of(entry, "name"), {}, std::move(path)};
    for (const boost::json::value& ref : entry.at("plugins").as_array()) {
        routing::PluginRef& added = profile.plugins.emplace_back();
        added.name = text_of(ref, "pluginRef");
        added.path = profile.path + ".plugins[" + std::to_string(profile.plugins.size() - 1) + "]";
        if (const boost::json::value* weight = ref.as_object().if_contains("weight")) {
            added.weight = weight->to_number<double>();
        }
    }
    return profile;
}

}  // namespace detail

/// The `plugins` and `schedulingProfiles` of a JSON text that is well-formed.
inline routing::SchedulingConfig scheduling_config(std::string_view text) {
    const boost::json::value document = boost::json::parse(text);
    routing::SchedulingConfig config;
    if (const boost::json::value* plugins = document.as_object().if_contains("plugins")) {
        for (const boost::json::value& entry : plugins->as_array()) {
            const std::string path = "plugins[" + std::to_string(config.plugins.size()) + "]";
            config.plugins.push_back(detail::plugin_of(entry, path));
        }
    }
    if (const boost::json::value* profiles = document.as_object().if_contains("schedulingProfiles")) {
        for (const boost::json::value& entry : profiles->as_array()) {
            const std::string path = "schedulingProfiles[" + std::to_string(config.profiles.size()) + "]";
            config.profiles.push_back(detail::profile_of(entry, path));
        }
    }
    return config;
}

/// All errors as one text, `path: message` each, joined with ` | `.
inline std::string joined(const std::vector<ReadError>& errors) {
    std::string all;
    for (const ReadError& error : errors) {
        all += (all.empty() ? "" : " | ") + error.path + ": " + error.message;
    }
    return all;
}

}  // namespace warmlane::test
