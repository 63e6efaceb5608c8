#pragma once

#include "warmlane/core/json_reader.hpp"
#include "warmlane/routing/scheduling_config.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value_to.hpp>

#include <string>
#include <string_view>

namespace warmlane::test {

/// The `plugins` and `schedulingProfiles` of a JSON text that is well-formed.
inline routing::SchedulingConfig scheduling_config(std::string_view text) {
    namespace json = boost::json;
    const auto text_of = [](const json::value& entry, std::string_view key) {
        const json::value* value = entry.as_object().if_contains(key);
        return value == nullptr ? std::string() : json::value_to<std::string>(*value);
    };
    const json::value document = json::parse(text);
    routing::SchedulingConfig config;
    if (const json::value* plugins = document.as_object().if_contains("plugins")) {
        for (const json::value& entry : plugins->as_array()) {
            const json::value* parameters = entry.as_object().if_contains("parameters");
            const std::string path = "plugins[" + std::to_string(config.plugins.size()) + "]";
            config.plugins.push_back(
                {text_of(entry, "name"), text_of(entry, "type"), parameters ? *parameters : nullptr, path}
            );
        }
    }
    if (const json::value* profiles = document.as_object().if_contains("schedulingProfiles")) {
        for (const json::value& entry : profiles->as_array()) {
            const std::string path = "schedulingProfiles[" + std::to_string(config.profiles.size()) + "]";
            routing::ProfileSpec& profile = config.profiles.emplace_back();
            profile.name = text_of(entry, "name");
            profile.path = path;
            for (const json::value& ref : entry.at("plugins").as_array()) {
                routing::PluginRef& added = profile.plugins.emplace_back();
                added.name = text_of(ref, "pluginRef");
                added.path = path + ".plugins[" + std::to_string(profile.plugins.size() - 1) + "]";
                if (const json::value* weight = ref.as_object().if_contains("weight")) {
                    added.weight = weight->to_number<double>();
                }
            }
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
