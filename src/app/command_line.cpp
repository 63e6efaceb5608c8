#include "warmlane/app/command_line.hpp"

#include "app/flags.hpp"
#include "app/sim_settings.hpp"

#include "warmlane/config/settings.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <unistd.h>

namespace warmlane::app {
namespace {

constexpr std::string_view kUsage =
    "Usage: warmlane [serve] [FLAGS]   run the gateway\n"
    "       warmlane check [FLAGS]     say whether a configuration is good; exit code 0 or 2\n"
    "       warmlane sim [FLAGS]       run a simulated model server; see warmlane sim --help\n";

constexpr std::string_view kExamples =
    "Each flag has a variable of its name: --admin-port is WARMLANE_ADMIN_PORT. A flag goes before a "
    "variable,\n"
    "that before the file, that before the default. TIME is like 200ms, 30s or 5m, SIZE like 64MiB.\n"
    "\n"
    "Examples:\n"
    "  warmlane --endpoint http://10.0.0.1:8000 --endpoint http://10.0.0.2:8000\n"
    "  warmlane --config conf/warmlane.yaml --print-config\n"
    "  warmlane --demo 3\n";

struct CommandName {
    std::string_view name;
    Command command;
};

constexpr std::array<CommandName, 3> kCommands = {{
    {"serve", Command::serve},
    {"check", Command::check},
    {"sim", Command::sim},
}};

void add_general(po::options_description& flags) {
    po::options_description group = flag_group("General");
    add_flag(group, {"help", "", "show this text"});
    add_flag(group, {"help-all", "", "show every flag"});
    add_flag(group, {"version", "", "show the version"});
    flags.add(group);
}

po::options_description serve_flags(bool all) {
    po::options_description flags = flag_group("");
    po::options_description group = flag_group("What to serve");
    add_flag(group, {"config", "FILE", "configuration in YAML or JSON"});
    add_flag(
        group, {"endpoint", "[NAME=]URL", "a model server; repeat it for each, in place of the file's list"}
    );
    add_flag(group, {"print-config", "", "show every effective value with its origin, and end"});
    flags.add(group);
    add_settings(flags, config::settings(), all, config::Config());
    add_general(flags);
    return flags;
}

po::options_description sim_flags() {
    po::options_description flags = flag_group("");
    add_settings(flags, sim_settings(), true, default_sim_options());
    add_general(flags);
    return flags;
}

std::string help_of(Command command, bool all) {
    std::ostringstream text;
    if (command == Command::sim) {
        text << "Usage: warmlane sim [FLAGS]   run a simulated model server until it is interrupted\n"
             << sim_flags();
    } else {
        text << kUsage << serve_flags(all) << "\n" << kExamples;
    }
    return text.str();
}

/// Takes a flag out of the list; true when it was there and not `false`.
bool take_switch(std::vector<Flag>& flags, std::string_view name) {
    const auto is_it = [name](const Flag& flag) { return flag.first == name; };
    const bool on = std::any_of(flags.begin(), flags.end(), [&](const Flag& flag) {
        return is_it(flag) && flag.second != "false";
    });
    std::erase_if(flags, is_it);
    return on;
}

config::ConfigSources sources_of(std::vector<Flag> flags, const char* const* environment) {
    config::ConfigSources sources;
    for (const auto& [name, value] : flags) {
        if (name == "config") {
            sources.file = value;
        }
    }
    std::erase_if(flags, [](const Flag& flag) { return flag.first == "config"; });
    sources.flags = std::move(flags);
    for (; environment != nullptr && *environment != nullptr; ++environment) {
        const std::string_view entry = *environment;
        const std::size_t equals = entry.find('=');
        if (equals != std::string_view::npos) {
            sources.environment.emplace(entry.substr(0, equals), entry.substr(equals + 1));
        }
    }
    return sources;
}

/// Takes the sub-command from the front of the arguments; `serve` when there is none.
Command take_command(std::vector<std::string>& arguments, std::vector<std::string>& errors) {
    if (arguments.empty() || arguments.front().starts_with('-')) {
        return Command::serve;
    }
    const std::string word = arguments.front();
    arguments.erase(arguments.begin());
    std::vector<std::string> names;
    for (const CommandName& row : kCommands) {
        if (row.name == word) {
            return row.command;
        }
        names.emplace_back(row.name);
    }
    const std::string hint = did_you_mean(word, names);
    errors.push_back(fmt::format("unknown command {}{}", quoted(word), hint));
    return Command::serve;
}

CommandLine text_line(std::string text) {
    CommandLine line;
    line.command = Command::show_text;
    line.text = std::move(text);
    return line;
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv, const char* const* environment) {
    std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
    CommandLine line;
    line.command = take_command(arguments, line.errors);
    if (!line.errors.empty()) {
        return line;
    }
    std::replace(arguments.begin(), arguments.end(), std::string("-h"), std::string("--help"));
    const bool is_sim = line.command == Command::sim;
    ParsedFlags parsed = parse_flags(arguments, is_sim ? sim_flags() : serve_flags(true));
    const bool all = take_switch(parsed.flags, "help-all");
    if (take_switch(parsed.flags, "help") || all) {
        return text_line(help_of(line.command, all));
    }
    if (take_switch(parsed.flags, "version")) {
        return text_line(fmt::format("warmlane {}\n", WARMLANE_VERSION));
    }
    line.errors = std::move(parsed.errors);
    if (is_sim) {
        line.sim = read_sim_options(parsed.flags, line.errors);
        return line;
    }
    line.print_config = take_switch(parsed.flags, "print-config");
    line.sources = sources_of(std::move(parsed.flags), environment);
    return line;
}

CommandLine parse_command_line(int argc, const char* const* argv) {
    return parse_command_line(argc, argv, environ);
}

}  // namespace warmlane::app
