#include "config/endpoint_url.hpp"
#include "config/reading.hpp"

#include "warmlane/datalayer/engines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace warmlane::config {
namespace {

namespace json = boost::json;

/// Slots of the prefix index; what discovery and the demo add comes out of the same number.
constexpr std::size_t kEndpointsMax = 1'000;
constexpr std::size_t kNameBytesMax = 320;
constexpr std::size_t kLabelsMax = 64;
constexpr std::size_t kLabelBytesMax = 512;
constexpr std::string_view kEngineLabel = "llm-d.ai/engine-type";

/// Names stand in header fields, metric labels and log lines as they are.
bool is_name(std::string_view name) {
    const auto fits = [](char c) {
        return c > 0x20 && c < 0x7f && c != '"' && c != '\\' && c != ',' && c != '=';
    };
    return !name.empty() && name.size() <= kNameBytesMax && std::all_of(name.begin(), name.end(), fits);
}

/// Reads the list, one entry after another, and knows which names and places are taken.
class EndpointList {
public:
    explicit EndpointList(Findings& findings) : findings_(findings) {}

    void add(const json::value& value, const std::string& path) {
        JsonReader entry(value, path, findings_.errors);
        if (!value.is_object()) {
            return;
        }
        EndpointSpec spec;
        const bool placed = read_url(entry, spec);
        read_name(entry, spec);
        read_metrics_url(entry, spec);
        read_labels(entry, spec);
        read_engine(entry, spec);
        entry.finish();
        if (placed) {
            check_taken(entry, spec);
        }
        specs.push_back(std::move(spec));
    }

    std::vector<EndpointSpec> specs;

private:
    /// False when there is no usable one.
    static bool read_url(JsonReader& entry, EndpointSpec& spec) {
        const json::value* value = entry.take("url");
        if (value == nullptr) {
            entry.fail("url", "every endpoint needs one, like http://10.0.0.1:8000");
            return false;
        }
        std::string text;
        entry.read("url", text);
        if (!value->is_string()) {
            return false;
        }
        std::variant<EndpointUrl, std::string> parsed = parse_endpoint_url(text);
        if (const std::string* fault = std::get_if<std::string>(&parsed)) {
            entry.fail("url", *fault);
            return false;
        }
        EndpointUrl& url = std::get<EndpointUrl>(parsed);
        spec.name = default_name(url);
        spec.host = std::move(url.host);
        spec.port = url.port;
        spec.base_path = std::move(url.path);
        return true;
    }

    static void read_name(JsonReader& entry, EndpointSpec& spec) {
        entry.read("name", spec.name);
        if (entry.has("name") && !is_name(spec.name)) {
            entry.fail(
                "name",
                fmt::format(
                    "{} cannot be a name: 1 to {} printable ASCII characters without blanks, quotes, "
                    "backslashes, commas and equal signs",
                    quoted(spec.name),
                    kNameBytesMax
                )
            );
        }
    }

    static void read_metrics_url(JsonReader& entry, EndpointSpec& spec) {
        entry.read("metricsUrl", spec.metrics_url);
        if (spec.metrics_url.empty()) {
            return;
        }
        const std::variant<EndpointUrl, std::string> parsed = parse_endpoint_url(spec.metrics_url);
        if (const std::string* fault = std::get_if<std::string>(&parsed)) {
            entry.fail("metricsUrl", *fault);
        }
    }

    void read_labels(JsonReader& entry, EndpointSpec& spec) {
        const json::value* value = entry.take("labels");
        if (value == nullptr) {
            return;
        }
        if (!value->is_object()) {
            entry.fail("labels", "expected an object of strings");
            return;
        }
        if (value->get_object().size() > kLabelsMax) {
            entry.fail("labels", fmt::format("more than {} labels", kLabelsMax));
            return;
        }
        JsonReader labels(*value, entry.path_of("labels"), findings_.errors);
        for (const json::key_value_pair& label : value->get_object()) {
            std::string text;
            labels.read(label.key(), text);
            if (text.size() > kLabelBytesMax) {
                labels.fail(label.key(), fmt::format("longer than {} bytes", kLabelBytesMax));
            }
            spec.labels.emplace(label.key(), std::move(text));
        }
    }

    /// Said outright, or by the label that llm-d reads.
    static void read_engine(JsonReader& entry, EndpointSpec& spec) {
        std::vector<std::string> known;
        for (const std::string_view engine : datalayer::engines()) {
            known.emplace_back(engine);
        }
        const auto is_known = [&known](const std::string& engine) {
            return std::find(known.begin(), known.end(), engine) != known.end();
        };
        entry.read("engine", spec.engine);
        if (!is_known(spec.engine)) {
            const std::string hint = did_you_mean(spec.engine, known);
            entry.fail(
                "engine",
                fmt::format("expected one of {}, got {}{}", fmt::join(known, ", "), quoted(spec.engine), hint)
            );
        }
        const auto label = spec.labels.find(std::string(kEngineLabel));
        if (!entry.has("engine") && label != spec.labels.end() && is_known(label->second)) {
            spec.engine = label->second;
        }
    }

    void check_taken(JsonReader& entry, const EndpointSpec& spec) {
        const std::string place = default_name({spec.host, spec.port, spec.base_path});
        if (const auto [other, free] = places_.emplace(place, entry.path()); !free) {
            entry.fail("url", fmt::format("the same place as {}", other->second));
            return;
        }
        if (const auto [other, free] = names_.emplace(spec.name, entry.path()); !free) {
            entry.fail("name", fmt::format("the name {} is taken by {}", quoted(spec.name), other->second));
        }
    }

    Findings& findings_;
    /// Path of the entry that has it.
    std::map<std::string, std::string> places_;
    std::map<std::string, std::string> names_;
};

}  // namespace

void read_endpoints(JsonReader& root, Findings& findings, std::vector<EndpointSpec>& endpoints) {
    const json::array* entries = root.take_array("endpoints");
    if (entries == nullptr) {
        return;
    }
    if (entries->size() > kEndpointsMax) {
        root.fail("endpoints", fmt::format("more than {} endpoints", kEndpointsMax));
        return;
    }
    EndpointList list(findings);
    for (std::size_t i = 0; i < entries->size(); ++i) {
        list.add((*entries)[i], fmt::format("endpoints[{}]", i));
    }
    endpoints = std::move(list.specs);
}

}  // namespace warmlane::config
