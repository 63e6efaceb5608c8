#pragma once

#include "warmlane/config/setting.hpp"

#include <boost/program_options/options_description.hpp>
#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warmlane::app {

namespace po = boost::program_options;

/// A flag as the command line gave it: name without dashes, and value.
using Flag = std::pair<std::string, std::string>;

struct ParsedFlags {
    std::vector<Flag> flags;
    /// A sentence each.
    std::vector<std::string> errors;
};

/// Reads `--name value` and `--name=value`; a flag without a value stands for `true`.
ParsedFlags parse_flags(const std::vector<std::string>& arguments, const po::options_description& known);

/// One flag for the help text and for reading.
struct FlagHelp {
    std::string_view name;
    /// What its value is called; empty when it takes none.
    std::string_view value;
    std::string help;
};

void add_flag(po::options_description& group, const FlagHelp& flag);

/// What the value of such a setting is called.
std::string_view value_name(config::SettingKind kind);

/// An empty group with the width of all help texts.
po::options_description flag_group(std::string_view heading);

/// The settings of a table as flags, each under its heading and with its default: all, or only the common
/// ones.
template <class Target>
void add_settings(
    po::options_description& flags,
    std::span<const config::Setting<Target>> settings,
    bool all,
    const Target& defaults
) {
    for (std::size_t i = 0; i < settings.size();) {
        const std::string_view heading = settings[i].group;
        po::options_description group = flag_group(heading);
        for (; i < settings.size() && settings[i].group == heading; ++i) {
            const config::Setting<Target>& setting = settings[i];
            if (!all && !setting.common) {
                continue;
            }
            const std::string text = config::to_text(setting.show(defaults));
            add_flag(
                group, {setting.flag, value_name(setting.kind), fmt::format("{} ({})", setting.help, text)}
            );
        }
        if (!group.options().empty()) {
            flags.add(group);
        }
    }
}

}  // namespace warmlane::app
