#pragma once

#include "warmlane/config/sources.hpp"

#include <string>
#include <vector>

namespace warmlane::app {

/// What `warmlane check` says: lines that begin with `[ok]`, `[warn]` or `[fail]`, and a verdict as the last
/// one.
struct CheckReport {
    std::vector<std::string> lines;
    bool good = false;
};

CheckReport check_configuration(const config::ConfigSources& sources);

}  // namespace warmlane::app
