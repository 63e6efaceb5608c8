#include "warmlane/app/serve_command.hpp"

#include "warmlane/app/application.hpp"
#include "warmlane/observability/log.hpp"

#include <fmt/core.h>

#include <csignal>
#include <cstdio>
#include <sys/resource.h>
#include <utility>

namespace warmlane::app {
namespace {

/// Raises the limit of open descriptors as far as the system lets us; a stream takes two. Returns the limit.
std::size_t raise_descriptor_limit() {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return 0;
    }
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_max : before;
}

void print(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
}

void print_banner(
    const Application& application, const config::LoadedConfig& loaded, std::size_t descriptors
) {
    print(fmt::format("warmlane {}", WARMLANE_VERSION));
    for (const std::string& line : application.banner()) {
        print(line);
    }
    for (const config::ConfigError& note : loaded.notes) {
        print("note: " + config::to_string(note));
    }
    print(fmt::format("{} descriptors; ready", descriptors));
}

void print_summary(const RunSummary& summary) {
    const double seconds = std::chrono::duration<double>(summary.uptime).count();
    print(fmt::format(
        "stopped after {:.1f} s: {} requests served, {} connections cut",
        seconds,
        summary.requests_served,
        summary.connections_cut
    ));
}

}  // namespace

int run_serve(config::LoadedConfig loaded) {
    std::signal(SIGPIPE, SIG_IGN);
    const std::size_t descriptors = raise_descriptor_limit();
    observability::start_log(loaded.config.log);
    RunSummary summary;
    {
        Application application(loaded.config);
        if (const auto failure = application.start()) {
            fmt::print(stderr, "warmlane: {}\n", failure->message);
            observability::stop_log();
            return static_cast<int>(failure->code);
        }
        application.stop_on_signals();
        print_banner(application, loaded, descriptors);
        summary = application.run();
    }
    observability::stop_log();
    print_summary(summary);
    return static_cast<int>(ExitCode::clean);
}

}  // namespace warmlane::app
