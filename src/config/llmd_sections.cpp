#include "config/reading.hpp"

#include "warmlane/plugins/builtin.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace warmlane::config {
namespace {

namespace json = boost::json;

constexpr std::string_view kNoFlowControl = "flow control is not run yet; remove the section";
constexpr std::string_view kNoReplicas = "replicas do not share what they know yet; remove the key";

void refuse(JsonReader& reader, std::string_view key, std::string_view reason) {
    if (reader.take(key) != nullptr) {
        reader.fail(key, std::string(reason));
    }
}

/// A list or an object without anything in it asks for nothing.
bool is_empty(const json::value& value) {
    return (value.is_object() && value.get_object().empty()) ||
           (value.is_array() && value.get_array().empty());
}

/// Reads the sections one by one; references in them are resolved by the declared plugins.
class LlmdReader {
public:
    LlmdReader(JsonReader& root, Findings& findings) : root_(root), findings_(findings) {
        const json::value* plugins = root.take("plugins");
        if (plugins == nullptr || !plugins->is_array()) {
            return;
        }
        for (const json::value& entry : plugins->get_array()) {
            declare(entry);
        }
    }

    void read() {
        read_feature_gates();
        in_section(root_, "dataLayer", [this](JsonReader& section) { read_data_layer(section); });
        in_section(root_, "requestHandler", [this](JsonReader& section) {
            for_each_ref(section, "parsers", nullptr);
        });
        in_section(root_, "parser", [this](JsonReader& section) { check_ref(section); });
        for (const std::string_view key : {"flowControl", "saturationDetector"}) {
            const json::value* section = root_.take(key);
            if (section != nullptr && !is_empty(*section)) {
                root_.fail(key, std::string(kNoFlowControl));
            }
        }
    }

private:
    using Visit = std::function<void(JsonReader&)>;

    void declare(const json::value& entry) {
        const json::object* object = entry.if_object();
        const json::value* type = object == nullptr ? nullptr : object->if_contains("type");
        const json::value* name = object == nullptr ? nullptr : object->if_contains("name");
        if (type != nullptr && type->is_string()) {
            const bool named = name != nullptr && name->is_string();
            types_.emplace(named ? name->get_string() : type->get_string(), type->get_string());
        }
    }

    void in_section(JsonReader& owner, std::string_view key, const Visit& visit) {
        if (const json::value* value = owner.take(key)) {
            JsonReader section(*value, owner.path_of(key), findings_.errors);
            visit(section);
            section.finish();
        }
    }

    /// Every entry of a list names a plugin; `visit` reads what else it holds.
    void for_each_ref(JsonReader& owner, std::string_view key, const Visit& visit) {
        const json::array* entries = owner.take_array(key);
        for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
            JsonReader entry((*entries)[i], owner.path_of(fmt::format("{}[{}]", key, i)), findings_.errors);
            check_ref(entry);
            if (visit) {
                visit(entry);
            }
            entry.finish();
        }
    }

    /// A reference by name, or by type where nothing of that name is declared.
    void check_ref(JsonReader& entry) {
        std::string name;
        entry.read("pluginRef", name);
        if (name.empty()) {
            entry.fail("pluginRef", "every entry names a plugin");
            return;
        }
        const auto declared = types_.find(name);
        const std::string& type = declared == types_.end() ? name : declared->second;
        if (is_always_done(type)) {
            return;
        }
        const routing::PluginType* known = plugins::builtin_plugins().find(type);
        if (known == nullptr) {
            entry.fail("pluginRef", fmt::format("no plugin {} is declared", quoted(name)));
        } else {
            entry.fail("pluginRef", fmt::format("{} is not run in this place", quoted(type)));
        }
    }

    void read_data_layer(JsonReader& section) {
        bool inject_defaults = true;
        section.read("injectDefaults", inject_defaults);
        if (!inject_defaults && !section.has("sources")) {
            section.fail("injectDefaults", "endpoints are always scraped; remove the key");
        }
        for_each_ref(section, "sources", [this](JsonReader& source) {
            for_each_ref(source, "extractors", nullptr);
        });
        refuse(
            section,
            "discovery",
            "endpoints are not discovered by plugins yet; list them in the section endpoints"
        );
        refuse(section, "peerDiscovery", kNoReplicas);
        refuse(section, "crossReplicaSyncerPluginRef", kNoReplicas);
        refuse(section, "crossReplicaSyncInterval", kNoReplicas);
    }

    /// `NAME`, `NAME=true` or `NAME=false`.
    void read_feature_gates() {
        const json::array* gates = root_.take_array("featureGates");
        for (std::size_t i = 0; gates != nullptr && i < gates->size(); ++i) {
            const std::string key = fmt::format("featureGates[{}]", i);
            const json::string* text = (*gates)[i].if_string();
            if (text == nullptr) {
                root_.fail(key, "expected a string like flowControl=false");
            } else {
                check_feature_gate(key, std::string_view(*text));
            }
        }
    }

    void check_feature_gate(const std::string& key, std::string_view gate) {
        const std::size_t equals = gate.find('=');
        const std::string_view name = gate.substr(0, equals);
        const std::string_view value = equals == std::string_view::npos ? "true" : gate.substr(equals + 1);
        const std::vector<std::string> known = {"flowControl", "haPopulateNonLeaderDatastore"};
        if (name != known[0] && name != known[1]) {
            root_.fail(
                key, fmt::format("unknown feature gate {}{}", quoted(name), did_you_mean(name, known))
            );
        } else if (value != "true" && value != "false") {
            root_.fail(key, fmt::format("expected {0}=true or {0}=false, got {1}", name, quoted(gate)));
        } else if (name == known[0] && value == "true") {
            root_.fail(key, "flow control is not run yet; remove the gate");
        }
    }

    JsonReader& root_;
    Findings& findings_;
    /// Type of each declared plugin, by name.
    std::map<std::string, std::string, std::less<>> types_;
};

}  // namespace

void read_llmd_sections(JsonReader& root, Findings& findings) {
    LlmdReader(root, findings).read();
}

}  // namespace warmlane::config
