#include "warmlane/config/print_config.hpp"

#include "config/endpoint_url.hpp"
#include "config/expand.hpp"
#include "config/scalar.hpp"

#include "warmlane/config/settings.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace warmlane::config {
namespace {

namespace json = boost::json;

using Lines = std::vector<std::string>;

constexpr std::size_t kCommentColumn = 40;

json::value hide_secrets(json::value value) {
    if (value.is_object()) {
        for (auto& [key, item] : value.get_object()) {
            std::string word(key);
            std::transform(word.begin(), word.end(), word.begin(), [](char c) {
                return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
            });
            item =
                word.find("secret") == std::string::npos ? hide_secrets(std::move(item)) : json::value("***");
        }
    }
    if (value.is_array()) {
        for (json::value& item : value.get_array()) {
            item = hide_secrets(std::move(item));
        }
    }
    return value;
}

json::value plugins_of(const routing::SchedulingConfig& scheduling, Secrets secrets) {
    json::array entries;
    for (const routing::PluginSpec& spec : scheduling.plugins) {
        json::object entry;
        if (spec.name != spec.type) {
            entry["name"] = spec.name;
        }
        entry["type"] = spec.type;
        if (!spec.parameters.is_null()) {
            entry["parameters"] =
                secrets == Secrets::hidden ? hide_secrets(spec.parameters) : spec.parameters;
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

json::value profiles_of(const routing::SchedulingConfig& scheduling) {
    json::array entries;
    for (const routing::ProfileSpec& spec : scheduling.profiles) {
        json::array refs;
        for (const routing::PluginRef& ref : spec.plugins) {
            json::object item{{"pluginRef", ref.name}};
            if (ref.weight) {
                item["weight"] = *ref.weight;
            }
            refs.push_back(std::move(item));
        }
        entries.push_back(json::object{{"name", spec.name}, {"plugins", std::move(refs)}});
    }
    return entries;
}

json::value endpoints_of(const std::vector<EndpointSpec>& endpoints) {
    json::array entries;
    for (const EndpointSpec& spec : endpoints) {
        json::object entry{{"name", spec.name}, {"url", url_of(spec)}};
        if (!spec.metrics_url.empty()) {
            entry["metricsUrl"] = spec.metrics_url;
        }
        entry["engine"] = spec.engine;
        for (const auto& [key, value] : spec.labels) {
            json::value& labels = entry["labels"];
            (labels.is_null() ? labels.emplace_object() : labels.get_object())[key] = value;
        }
        entries.push_back(std::move(entry));
    }
    return entries;
}

/// Unquoted where that reads back as the same string.
std::string spell(std::string_view text) {
    constexpr std::string_view kSafe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:-";
    const bool safe = !text.empty() && text.find_first_not_of(kSafe) == std::string_view::npos &&
                      std::string_view("_.:-").find(text.front()) == std::string_view::npos &&
                      text.back() != ':' && parse_plain_scalar(text).is_string();
    return safe ? std::string(text) : json::serialize(json::string(unexpanded(text)));
}

std::string spell(const json::value& value) {
    if (const json::string* text = value.if_string()) {
        return spell(std::string_view(*text));
    }
    return to_text(value);  // also `[]` and `{}`
}

bool has_children(const json::value& value) {
    return (value.is_object() && !value.get_object().empty()) ||
           (value.is_array() && !value.get_array().empty());
}

/// Writes values as YAML in block style, one line for each leaf.
class Printer {
public:
    explicit Printer(const Origins& origins) : origins_(origins) {}

    Lines print(const json::value& value, const std::string& path) const {
        return value.is_object() ? object(value.get_object(), path) : list(value.get_array(), path);
    }

private:
    Lines object(const json::object& object, const std::string& path) const {
        Lines lines;
        for (const json::key_value_pair& entry : object) {
            const std::string key = spell(std::string_view(entry.key()));
            const std::string below =
                path.empty() ? std::string(entry.key()) : fmt::format("{}.{}", path, key);
            if (!has_children(entry.value())) {
                lines.push_back(commented(fmt::format("{}: {}", key, spell(entry.value())), below));
                continue;
            }
            lines.push_back(entry.value().is_array() ? commented(key + ":", below) : key + ":");
            for (const std::string& line : print(entry.value(), below)) {
                lines.push_back("  " + line);
            }
        }
        return lines;
    }

    Lines list(const json::array& items, const std::string& path) const {
        Lines lines;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const Lines item = has_children(items[i]) ? print(items[i], fmt::format("{}[{}]", path, i))
                                                      : Lines{spell(items[i])};
            for (std::size_t line = 0; line < item.size(); ++line) {
                lines.push_back((line == 0 ? "- " : "  ") + item[line]);
            }
        }
        return lines;
    }

    /// Entries of lists come from where the list does.
    std::string commented(std::string line, const std::string& path) const {
        if (path.find('[') != std::string::npos) {
            return line;
        }
        std::string origin = to_string(origins_.of(path));
        std::replace_if(origin.begin(), origin.end(), [](char c) { return c >= 0 && c < 0x20; }, '?');
        const std::size_t indent = path.find('.') == std::string::npos ? 0 : 2;
        line.resize(std::max(line.size() + 1, kCommentColumn - indent), ' ');
        return line + "# " + origin;
    }

    const Origins& origins_;
};

}  // namespace

json::value effective(const Config& config, Secrets secrets) {
    json::object root{{"apiVersion", "llm-d.ai/v1alpha1"}, {"kind", "EndpointPickerConfig"}};
    root["plugins"] = plugins_of(config.scheduling, secrets);
    if (!config.scheduling.profiles.empty()) {
        root["schedulingProfiles"] = profiles_of(config.scheduling);
    }
    root["endpoints"] = endpoints_of(config.endpoints);
    for (const Setting<Config>& setting : settings()) {
        json::value* owner = nullptr;
        if (!setting.section().empty()) {
            owner = &root[setting.section()];
            if (owner->is_null()) {
                owner->emplace_object();
            }
        }
        (owner == nullptr ? root : owner->get_object())[setting.key()] = setting.show(config);
    }
    return root;
}

std::string print_config(const LoadedConfig& loaded) {
    std::string text;
    for (const std::string& line :
         Printer(loaded.origins).print(effective(loaded.config, Secrets::shown), "")) {
        text += line + "\n";
    }
    return text;
}

}  // namespace warmlane::config
