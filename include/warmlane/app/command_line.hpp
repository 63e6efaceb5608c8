#pragma once

#include "warmlane/config/sources.hpp"
#include "warmlane/sim/sim_server.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace warmlane::app {

enum class Command : std::uint8_t {
    /// Run the gateway.
    serve,
    /// Say whether a configuration is good.
    check,
    /// Run a simulated model server.
    sim,
    /// Print `CommandLine::text`.
    show_text,
};

/// What the command line asks for.
struct CommandLine {
    Command command = Command::serve;
    /// Of `serve` and `check`: file, flags and environment.
    config::ConfigSources sources;
    /// Of `serve`: show the effective configuration instead of running.
    bool print_config = false;
    /// Of `sim`.
    sim::SimServerOptions sim;
    /// Help, or the version.
    std::string text;
    /// What is wrong with it, a sentence each; with any, nothing may be run and the exit code is 2.
    std::vector<std::string> errors;
};

/// Reads the arguments; `argv[0]` is skipped. `environment` is a list like `environ`, or null for none.
CommandLine parse_command_line(int argc, const char* const* argv, const char* const* environment);
/// With the environment of the process.
CommandLine parse_command_line(int argc, const char* const* argv);

/// Prints what is good, doubtful and wrong about the configuration, and a verdict. Returns the exit code: 0
/// or 2.
int run_check(const CommandLine& command_line);

/// Runs one simulated model server until SIGINT or SIGTERM. Returns the exit code.
int run_sim(const CommandLine& command_line);

}  // namespace warmlane::app
