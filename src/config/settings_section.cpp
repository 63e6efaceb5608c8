#include "config/reading.hpp"

#include "warmlane/config/config.hpp"
#include "warmlane/config/settings.hpp"

#include <boost/url/ipv4_address.hpp>
#include <boost/url/ipv6_address.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace warmlane::config {
namespace {

bool is_address(std::string_view text) {
    return boost::urls::parse_ipv4_address(text).has_value() ||
           boost::urls::parse_ipv6_address(text).has_value();
}

bool is_path(std::string_view text) {
    return text.starts_with('/') &&
           std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

void check_address(std::string_view path, const std::string& address, Findings& findings) {
    if (!is_address(address)) {
        findings.errors.push_back(
            {std::string(path),
             fmt::format("expected an IP address like 127.0.0.1, 0.0.0.0 or ::, got {}", quoted(address))}
        );
    }
}

/// What two values say together, or what only their meaning forbids.
void check_meaning(const Config& config, Findings& findings) {
    check_address("listen.address", config.listen.address, findings);
    check_address("admin.address", config.admin.address, findings);
    if (config.listen.port != 0 && config.listen.port == config.admin.port) {
        findings.errors.push_back(
            {"admin.port", fmt::format("{} is the port of listen already", config.admin.port)}
        );
    }
    const std::string& probe_path = config.data_layer.health.probe_path;
    if (!is_path(probe_path)) {
        findings.errors.push_back(
            {"health.probePath", fmt::format("expected a path like /health, got {}", quoted(probe_path))}
        );
    }
    const datalayer::MetricsPollerOptions& metrics = config.data_layer.metrics;
    if (metrics.stale_after <= metrics.interval) {
        findings.notes.push_back(
            {"metrics.staleAfter",
             "not above metrics.interval: between two scrapes every endpoint counts as unknown"}
        );
    }
}

}  // namespace

void read_settings(JsonReader& root, Findings& findings, Config& config) {
    static const boost::json::value kAbsent;
    std::map<std::string_view, JsonReader> sections;
    for (const Setting<Config>& setting : settings()) {
        const std::string_view name = setting.section();
        JsonReader* reader = &root;
        if (!name.empty()) {
            auto found = sections.find(name);
            if (found == sections.end()) {
                const boost::json::value* value = root.take(name);
                const auto [place, added] = sections.try_emplace(
                    name, value == nullptr ? kAbsent : *value, std::string(name), findings.errors
                );
                found = place;
            }
            reader = &found->second;
        }
        setting.read(setting, *reader, setting.key(), config);
    }
    for (auto& [name, reader] : sections) {
        reader.finish();
    }
    check_meaning(config, findings);
}

}  // namespace warmlane::config
