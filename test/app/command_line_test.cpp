#include "warmlane/app/command_line.hpp"

#include "app/sim_settings.hpp"

#include "warmlane/config/settings.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace warmlane::app {
namespace {

CommandLine parse(const std::vector<std::string>& arguments, std::vector<const char*> environment = {}) {
    std::vector<const char*> argv = {"warmlane"};
    for (const std::string& argument : arguments) {
        argv.push_back(argument.c_str());
    }
    environment.push_back(nullptr);
    return parse_command_line(static_cast<int>(argv.size()), argv.data(), environment.data());
}

using Flags = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("the command line names a command, and flags with their values") {
    struct Row {
        std::string name;
        std::vector<std::string> arguments;
        Command command;
        std::string file;
        Flags flags;
    };
    const Row rows[] = {
        {"nothing", {}, Command::serve, "", {}},
        {"serve is the default", {"serve"}, Command::serve, "", {}},
        {"a flag with its value behind it", {"--port", "0"}, Command::serve, "", {{"port", "0"}}},
        {"a flag with its value in it", {"--port=0"}, Command::serve, "", {{"port", "0"}}},
        {"endpoints in order",
         {"--endpoint", "http://a:1", "--endpoint=b=http://b:1"},
         Command::serve,
         "",
         {{"endpoint", "http://a:1"}, {"endpoint", "b=http://b:1"}}},
        {"a switch alone",
         {"--debug-headers", "--port", "1"},
         Command::serve,
         "",
         {{"debug-headers", "true"}, {"port", "1"}}},
        {"a switch that is off", {"--log-access=false"}, Command::serve, "", {{"log-access", "false"}}},
        {"a switch with its word behind it",
         {"--log-access", "false"},
         Command::serve,
         "",
         {{"log-access", "false"}}},
        {"the file", {"check", "--config", "f.yaml"}, Command::check, "f.yaml", {}},
        {"the last file", {"--config", "f.yaml", "--config", "g.yaml"}, Command::serve, "g.yaml", {}},
        {"a rare flag",
         {"--upstream-connect-timeout", "1s"},
         Command::serve,
         "",
         {{"upstream-connect-timeout", "1s"}}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const CommandLine line = parse(row.arguments);
        CHECK(line.errors.empty());
        CHECK(line.command == row.command);
        CHECK(line.sources.file == row.file);
        CHECK(line.sources.flags == row.flags);
        CHECK_FALSE(line.print_config);
    }
    CHECK(parse({"--print-config"}).print_config);
    CHECK(parse({"--print-config"}).sources.flags.empty());
}

TEST_CASE("what is wrong with a command line is told with the nearest word") {
    struct Row {
        std::string name;
        std::vector<std::string> arguments;
        std::vector<std::string> errors;
    };
    const Row rows[] = {
        {"an unknown flag", {"--prot", "1"}, {"unknown flag '--prot'; did you mean '--port'?"}},
        {"an unknown flag with its value in it",
         {"--prot=1"},
         {"unknown flag '--prot'; did you mean '--port'?"}},
        {"two of them",
         {"--prot=1", "--demmo=1"},
         {"unknown flag '--prot'; did you mean '--port'?", "unknown flag '--demmo'; did you mean '--demo'?"}},
        {"the beginning of a flag is not the flag",
         {"--thread", "2"},
         {"unknown flag '--thread'; did you mean '--threads'?"}},
        {"a short flag", {"-p", "1"}, {"unknown flag '-p'"}},
        {"no value", {"--port"}, {"the required argument for option '--port' is missing"}},
        {"a word too many", {"--port", "1", "two"}, {"unexpected argument 'two'"}},
        {"an unknown command", {"chekc"}, {"unknown command 'chekc'; did you mean 'check'?"}},
        {"a flag of the other command", {"sim", "--threads", "1"}, {"unknown flag '--threads'"}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        std::string errors;
        for (const std::string& error : parse(row.arguments).errors) {
            errors += error + "\n";
        }
        std::string expected;
        for (const std::string& error : row.errors) {
            expected += error + "\n";
        }
        CHECK(errors == expected);
    }
}

TEST_CASE("the environment comes along") {
    const CommandLine line =
        parse({"check"}, {"WARMLANE_PORT=1", "EMPTY=", "ODD", "WARMLANE_ENDPOINT=a=http://a:1"});
    CHECK(line.sources.environment.at("WARMLANE_PORT") == "1");
    CHECK(line.sources.environment.at("EMPTY").empty());
    CHECK(line.sources.environment.at("WARMLANE_ENDPOINT") == "a=http://a:1");
    CHECK_FALSE(line.sources.environment.contains("ODD"));
}

TEST_CASE("help fits a screen and tells of the common flags, help-all of every one") {
    for (const char* flag : {"--help", "-h"}) {
        const CommandLine help = parse({flag});
        CHECK(help.command == Command::show_text);
        CHECK(help.errors.empty());
        CHECK(std::count(help.text.begin(), help.text.end(), '\n') <= 60);
    }
    const std::string common = parse({"--help"}).text;
    const std::string all = parse({"--help-all"}).text;
    for (const auto& setting : config::settings()) {
        const std::string flag = "--" + std::string(setting.flag) + " ";
        CAPTURE(flag);
        CHECK(all.find(flag) != std::string::npos);
        CHECK((common.find(flag) != std::string::npos) == setting.common);
    }
    CHECK(common.find("port to take requests on; 0 is any free one (30000)") != std::string::npos);
    CHECK(common.find("warmlane --demo 3") != std::string::npos);
    CHECK(parse({"sim", "--help"}).text.find("--block-tokens N") != std::string::npos);
    CHECK(parse({"--version"}).text.starts_with("warmlane "));
    CHECK(parse({"check", "--prot", "1", "--help"}).command == Command::show_text);
}

TEST_CASE("the flags of the simulator reach its options") {
    const CommandLine line = parse({
        "sim",
        "--port",
        "0",
        "--model",
        "m",
        "--block-count=100",
        "--step-us",
        "0.5",
        "--speed",
        "20",
        "--report-cached-tokens=false",
        "--startup",
        "2s",
        "--seed",
        "7",
    });
    CHECK(line.errors.empty());
    CHECK(line.sim.engine.seed == 7);
    CHECK(line.command == Command::sim);
    CHECK(line.sim.port == 0);
    CHECK(line.sim.model == "m");
    CHECK(line.sim.engine.block_count == 100);
    CHECK(line.sim.engine.step_base.count() == 0.5);
    CHECK(line.sim.engine.speed == 20);
    CHECK_FALSE(line.sim.report_cached_tokens);
    CHECK(line.sim.startup == std::chrono::seconds(2));
    CHECK(line.sim.engine.block_tokens == 16);

    CHECK(parse({"sim"}).sim.port == 8'000);
    CHECK(parse({"sim", "--speed", "0"}).errors == std::vector<std::string>{"--speed: must be above 0"});
    CHECK(
        parse({"sim", "--block-tokens", "many"}).errors ==
        std::vector<std::string>{"--block-tokens: expected an integer, got a string"}
    );
}

}  // namespace
}  // namespace warmlane::app
