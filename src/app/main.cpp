#include "warmlane/app/main.hpp"

#include "warmlane/app/command_line.hpp"
#include "warmlane/app/serve_command.hpp"
#include "warmlane/config/load_config.hpp"
#include "warmlane/config/print_config.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <exception>
#include <string>
#include <variant>
#include <vector>

namespace warmlane::app {
namespace {

constexpr int kClean = 0;
constexpr int kRunTime = 1;
constexpr int kUsage = 2;

int refuse(const std::vector<std::string>& errors) {
    for (const std::string& error : errors) {
        fmt::print(stderr, "warmlane: {}\n", error);
    }
    return kUsage;
}

int serve(const CommandLine& command_line) {
    auto loaded = config::load_config(command_line.sources);
    if (const auto* errors = std::get_if<std::vector<config::ConfigError>>(&loaded)) {
        std::vector<std::string> lines;
        for (const config::ConfigError& error : *errors) {
            lines.push_back(config::to_string(error));
        }
        return refuse(lines);
    }
    auto& good = std::get<config::LoadedConfig>(loaded);
    if (command_line.print_config) {
        fmt::print("{}", config::print_config(good));
        return kClean;
    }
    if (good.config.endpoints.empty() && good.config.demo == 0) {
        return refuse({"there is no endpoint: give --endpoint URL, `endpoints` in a file, or --demo 3"});
    }
    return run_serve(std::move(good));
}

int run(const CommandLine& command_line) {
    if (!command_line.errors.empty()) {
        return refuse(command_line.errors);
    }
    switch (command_line.command) {
        case Command::check: return run_check(command_line);
        case Command::sim: return run_sim(command_line);
        case Command::show_text: fmt::print("{}", command_line.text); return kClean;
        case Command::serve: break;
    }
    return serve(command_line);
}

}  // namespace

int main(int argc, const char* const* argv) {
    try {
        return run(parse_command_line(argc, argv));
    } catch (const std::exception& error) {
        fmt::print(stderr, "warmlane: {}\n", error.what());
        return kRunTime;
    }
}

}  // namespace warmlane::app
