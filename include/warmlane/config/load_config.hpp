#pragma once

#include "warmlane/config/config.hpp"
#include "warmlane/config/origin.hpp"
#include "warmlane/config/sources.hpp"

#include <variant>
#include <vector>

namespace warmlane::config {

struct LoadedConfig {
    Config config;
    /// Where each value that was given came from.
    Origins origins;
    /// What is accepted and still worth a word.
    std::vector<ConfigError> notes;
};

/// Reads, checks and composes. Either a configuration without a fault, or everything that is wrong, by line.
std::variant<LoadedConfig, std::vector<ConfigError>> load_config(const ConfigSources& sources);

}  // namespace warmlane::config
