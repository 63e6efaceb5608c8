#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warmlane::config {

/// Where a configuration comes from. A value of a flag goes before one of the environment, that before one of
/// the file, and that before the default.
struct ConfigSources {
    /// Path of the file; empty means that `WARMLANE_CONFIG` names it, and that there is none without that.
    std::string file;
    /// Content to read in place of the file's; `file` then only names it.
    std::optional<std::string> text;
    std::map<std::string, std::string, std::less<>> environment;
    /// Names without dashes, in the order given; `endpoint` may stand there often, of another the last one
    /// counts.
    std::vector<std::pair<std::string, std::string>> flags;
};

/// One thing that is wrong, or worth knowing, with its place.
struct ConfigError {
    /// The file, or `flag --port`, or `environment WARMLANE_PORT`; empty when it is about all of them.
    std::string file;
    /// From 1; 0 when there is none.
    int line = 0;
    /// Keys and indices from the root, like `plugins[2].parameters.threshold`; may be empty.
    std::string path;
    /// A sentence for people.
    std::string message;

    bool operator==(const ConfigError&) const = default;
};

/// `FILE:LINE: PATH: MESSAGE`, without what is absent.
std::string to_string(const ConfigError& error);

}  // namespace warmlane::config
