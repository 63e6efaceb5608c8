#pragma once

#include "warmlane/config/config.hpp"
#include "warmlane/config/load_config.hpp"

#include <boost/json/value.hpp>

#include <cstdint>
#include <string>

namespace warmlane::config {

enum class Secrets : std::uint8_t { shown, hidden };

/// Every effective value, as a configuration file would say it.
boost::json::value effective(const Config& config, Secrets secrets);

/// A configuration file that says what `loaded` says, each value with a comment that names its origin.
std::string print_config(const LoadedConfig& loaded);

}  // namespace warmlane::config
