#include "config/reading.hpp"

#include "warmlane/plugins/builtin.hpp"
#include "warmlane/routing/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace warmlane::config {
namespace {

namespace json = boost::json;
using routing::PluginRef;
using routing::PluginSpec;
using routing::ProfileSpec;
using routing::SchedulingConfig;

constexpr std::string_view kApiVersion = "llm-d.ai/v1alpha1";
constexpr std::string_view kOldApiVersion = "inference.networking.x-k8s.io/v1alpha1";
constexpr std::string_view kKind = "EndpointPickerConfig";

/// Entries of these types ask for nothing that is not done anyway.
constexpr std::array kAlwaysDone = {
    std::string_view("anthropic-parser"),
    std::string_view("core-metrics-extractor"),
    std::string_view("inflight-load-producer"),
    std::string_view("metrics-data-source"),
    std::string_view("models-data-source"),
    std::string_view("openai-parser"),
    std::string_view("passthrough-parser"),
    std::string_view("token-producer"),
    std::string_view("tokenizer"),
    std::string_view("vllmhttp-parser"),
};

void read_header(JsonReader& root, Findings& findings) {
    const bool needed = root.has("plugins") || root.has("schedulingProfiles");
    const auto read_word = [&root, needed](std::string_view key, std::string_view wanted) {
        std::string word;
        const json::value* value = root.take(key);
        root.read(key, word);
        if (value == nullptr && needed) {
            root.fail(
                key,
                fmt::format("is missing beside plugins and schedulingProfiles; write {}: {}", key, wanted)
            );
        }
        return value != nullptr && value->is_string() ? word : std::string(wanted);
    };
    const std::string version = read_word("apiVersion", kApiVersion);
    if (version == kOldApiVersion) {
        findings.notes.push_back({"apiVersion", fmt::format("an older name; write {}", kApiVersion)});
    } else if (version != kApiVersion) {
        root.fail("apiVersion", fmt::format("expected {}, got {}", kApiVersion, quoted(version)));
    }
    const std::string kind = read_word("kind", kKind);
    if (kind != kKind) {
        root.fail("kind", fmt::format("expected {}, got {}", kKind, quoted(kind)));
    }
    for (const std::string_view key : {"metadata", "spec"}) {
        if (root.take(key) != nullptr) {
            root.fail(key, fmt::format("{} has no {}; its content stands at the top level", kKind, key));
        }
    }
}

bool has_parameters(const json::value& parameters) {
    const bool empty = parameters.is_null() || (parameters.is_object() && parameters.get_object().empty());
    return !empty;
}

/// Reads both lists. Entries that ask for what is always done are left out, and so are references to them.
class SchedulingReader {
public:
    explicit SchedulingReader(Findings& findings) : findings_(findings) {}

    SchedulingConfig read(JsonReader& root) {
        SchedulingConfig config;
        for_each(root, "plugins", [&](JsonReader& entry) { read_plugin(entry, config); });
        for_each(root, "schedulingProfiles", [&](JsonReader& entry) { read_profile(entry, config); });
        return config;
    }

private:
    template <class Read>
    void for_each(JsonReader& owner, std::string_view key, const Read& read_entry) {
        const json::array* entries = owner.take_array(key);
        for (std::size_t i = 0; entries != nullptr && i < entries->size(); ++i) {
            JsonReader entry((*entries)[i], owner.path_of(fmt::format("{}[{}]", key, i)), findings_.errors);
            read_entry(entry);
            entry.finish();
        }
    }

    void read_plugin(JsonReader& entry, SchedulingConfig& config) {
        PluginSpec spec;
        spec.path = entry.path();
        entry.read("type", spec.type);
        spec.name = spec.type;
        entry.read("name", spec.name);
        if (const json::value* parameters = entry.take("parameters")) {
            spec.parameters = *parameters;
        }
        if (is_always_done(spec.type) && !has_parameters(spec.parameters)) {
            findings_.notes.push_back(
                {entry.path_of("type"),
                 fmt::format("what {} does is always done; the entry changes nothing", spec.type)}
            );
            left_out_.insert(spec.name);
            return;
        }
        config.plugins.push_back(std::move(spec));
    }

    void read_profile(JsonReader& entry, SchedulingConfig& config) {
        ProfileSpec spec;
        spec.path = entry.path();
        entry.read("name", spec.name);
        for_each(entry, "plugins", [&](JsonReader& item) { read_ref(item, spec); });
        config.profiles.push_back(std::move(spec));
    }

    void read_ref(JsonReader& entry, ProfileSpec& profile) {
        PluginRef ref;
        ref.path = entry.path();
        entry.read("pluginRef", ref.name);
        if (entry.has("weight")) {
            double weight = 1;
            const std::size_t errors_before = findings_.errors.size();
            entry.read("weight", weight);
            if (findings_.errors.size() == errors_before) {
                ref.weight = weight;
            }
        } else {
            entry.take("weight");
        }
        if (!left_out_.contains(ref.name)) {
            profile.plugins.push_back(std::move(ref));
        }
    }

    Findings& findings_;
    std::set<std::string, std::less<>> left_out_;
};

/// What only building a scheduler can find; a place that is known to be wrong is not told of twice.
void check_by_building(const SchedulingConfig& config, std::vector<ReadError>& errors) {
    std::vector<ReadError> found;
    routing::Scheduler::build(config, plugins::builtin_plugins(), 0, found);
    const std::size_t known = errors.size();
    for (ReadError& error : found) {
        const auto end = errors.begin() + static_cast<std::ptrdiff_t>(known);
        const bool told = std::any_of(errors.begin(), end, [&](const ReadError& other) {
            return other.path == error.path || error.path.starts_with(other.path + ".");
        });
        if (!told) {
            errors.push_back(std::move(error));
        }
    }
}

}  // namespace

bool is_always_done(std::string_view type) {
    return std::find(kAlwaysDone.begin(), kAlwaysDone.end(), type) != kAlwaysDone.end();
}

void read_scheduling(JsonReader& root, Findings& findings, SchedulingConfig& scheduling) {
    read_header(root, findings);
    SchedulingConfig config = SchedulingReader(findings).read(root);
    if (!config.plugins.empty() || !config.profiles.empty()) {
        scheduling = std::move(config);
    }
    check_by_building(scheduling, findings.errors);
}

}  // namespace warmlane::config
