#include "app/check_report.hpp"

#include "warmlane/app/command_line.hpp"
#include "warmlane/config/load_config.hpp"
#include "warmlane/plugins/builtin.hpp"
#include "warmlane/routing/scheduler.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string_view>
#include <variant>

namespace warmlane::app {
namespace {

constexpr int kGood = 0;
constexpr int kBad = 2;

void add(CheckReport& report, std::string_view mark, std::string_view text) {
    report.lines.push_back(fmt::format("[{}] {}", mark, text));
}

std::string counted(std::size_t count, std::string_view thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

void report_profiles(const routing::SchedulingConfig& scheduling, CheckReport& report) {
    std::vector<ReadError> errors;
    const auto scheduler = routing::Scheduler::build(scheduling, plugins::builtin_plugins(), 0, errors);
    for (const std::string& profile : scheduler->describe()) {
        add(report, "ok", profile);
    }
}

void report_good(const config::LoadedConfig& loaded, CheckReport& report) {
    const config::Config& config = loaded.config;
    report_profiles(config.scheduling, report);
    for (const EndpointSpec& spec : config.endpoints) {
        add(report,
            "ok",
            fmt::format(
                "endpoint {} at {}{} ({})",
                spec.name,
                Endpoint(spec, 0).authority(),
                spec.base_path,
                spec.engine
            ));
    }
    add(report, "ok", fmt::format("requests on {} port {}", config.listen.address, config.listen.port));
    add(report, "ok", fmt::format("administration on {} port {}", config.admin.address, config.admin.port));
    for (const config::ConfigError& note : loaded.notes) {
        add(report, "warn", config::to_string(note));
    }
    report.lines.push_back(fmt::format("good: {}", counted(loaded.notes.size(), "warning")));
    report.good = true;
}

}  // namespace

CheckReport check_configuration(const config::ConfigSources& sources) {
    CheckReport report;
    const auto result = config::load_config(sources);
    if (const auto* loaded = std::get_if<config::LoadedConfig>(&result)) {
        report_good(*loaded, report);
        return report;
    }
    const auto& errors = std::get<std::vector<config::ConfigError>>(result);
    for (const config::ConfigError& error : errors) {
        add(report, "fail", config::to_string(error));
    }
    report.lines.push_back(fmt::format("bad: {}", counted(errors.size(), "error")));
    return report;
}

int run_check(const CommandLine& command_line) {
    const CheckReport report = check_configuration(command_line.sources);
    for (const std::string& line : report.lines) {
        fmt::print("{}\n", line);
    }
    std::fflush(stdout);
    return report.good ? kGood : kBad;
}

}  // namespace warmlane::app
