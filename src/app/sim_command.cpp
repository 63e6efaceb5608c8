#include "app/run_loop.hpp"

#include "warmlane/app/command_line.hpp"
#include "warmlane/http/types.hpp"

#include <boost/asio/signal_set.hpp>
#include <fmt/core.h>

#include <csignal>
#include <cstdio>

namespace warmlane::app {
namespace {

constexpr int kClean = 0;
constexpr int kCannotBind = 3;

}  // namespace

int run_sim(const CommandLine& command_line) {
    std::signal(SIGPIPE, SIG_IGN);
    const sim::SimServerOptions& options = command_line.sim;
    const bool literal_v6 = options.address.find(':') != std::string::npos;
    const std::string address = literal_v6 ? "[" + options.address + "]" : options.address;

    http::asio::io_context context{1};
    sim::SimServer server(context, options);
    if (const error_code ec = server.start()) {
        fmt::print(
            stderr, "warmlane: cannot listen on http://{}:{}: {}\n", address, options.port, ec.message()
        );
        return kCannotBind;
    }
    http::asio::basic_signal_set<http::Executor> signals(context.get_executor(), SIGINT, SIGTERM);
    signals.async_wait([&context, &server](error_code ec, int) {
        if (!ec) {
            server.stop();
            context.stop();
        }
    });
    fmt::print("listening on http://{}:{}\n", address, server.port());
    std::fflush(stdout);
    run_loop(context);
    return kClean;
}

}  // namespace warmlane::app
