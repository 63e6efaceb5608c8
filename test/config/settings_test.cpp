#include "warmlane/config/settings.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace warmlane::config {
namespace {

using namespace std::chrono_literals;

TEST_CASE("durations and sizes are written in the largest whole unit") {
    CHECK(format_duration(0ms) == "0s");
    CHECK(format_duration(200ms) == "200ms");
    CHECK(format_duration(1s) == "1s");
    CHECK(format_duration(1500ms) == "1500ms");
    CHECK(format_duration(90s) == "90s");
    CHECK(format_duration(10min) == "10m");
    CHECK(format_duration(2h) == "2h");
    CHECK(format_size(0) == "0");
    CHECK(format_size(1000) == "1000");
    CHECK(format_size(1024) == "1KiB");
    CHECK(format_size(64 * 1024 * 1024) == "64MiB");
    CHECK(format_size(3ULL << 30) == "3GiB");
}

TEST_CASE("paths and flags of settings are unique, and a variable follows from its flag") {
    std::set<std::string_view> paths;
    std::set<std::string_view> flags = {"config", "endpoint", "print-config", "help", "help-all", "version"};
    for (const Setting<Config>& setting : settings()) {
        CAPTURE(std::string(setting.path));
        CHECK(paths.insert(setting.path).second);
        CHECK(flags.insert(setting.flag).second);
        CHECK_FALSE(setting.help.empty());
        CHECK_FALSE(setting.group.empty());
    }
    CHECK(environment_name("admin-port") == "WARMLANE_ADMIN_PORT");
}

TEST_CASE("the default of every setting reads back as itself") {
    for (const Setting<Config>& setting : settings()) {
        CAPTURE(std::string(setting.path));
        Config config;
        const boost::json::value shown = setting.show(config);
        const std::string text = to_text(shown);
        boost::json::object object;
        object[setting.key()] = parse_setting(setting.kind, text);
        const boost::json::value value = std::move(object);
        std::vector<ReadError> errors;
        JsonReader reader(value, "", errors);
        setting.read(setting, reader, setting.key(), config);
        CHECK(errors.empty());
        CHECK(setting.show(config) == shown);
    }
}

TEST_CASE("docs/configuration.md tells of every key, flag and variable, with the default") {
    std::ifstream file(WARMLANE_SOURCE_DIR "/docs/configuration.md");
    std::stringstream stream;
    stream << file.rdbuf();
    const std::string text = stream.str();
    REQUIRE_FALSE(text.empty());
    const Config defaults;
    for (const Setting<Config>& setting : settings()) {
        CAPTURE(std::string(setting.path));
        const boost::json::value shown = setting.show(defaults);
        const std::string value = to_text(shown);
        const std::string row = "| `" + std::string(setting.path) + "` | `" + value + "` | `--" +
                                std::string(setting.flag) + "` | `" + environment_name(setting.flag) + "` |";
        CAPTURE(row);
        CHECK(text.find(row) != std::string::npos);
    }
}

}  // namespace
}  // namespace warmlane::config
