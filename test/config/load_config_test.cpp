#include "loading.hpp"

#include "warmlane/config/print_config.hpp"

#include <boost/json/serialize.hpp>

#include <chrono>
#include <filesystem>
#include <string>

namespace warmlane::config {
namespace {

using namespace std::chrono_literals;
using test::errors_of;
using test::file_of;
using test::joined;
using test::load;
using test::text_of;

TEST_CASE("without any source, everything has its default") {
    const LoadedConfig loaded = load({});
    const Config& config = loaded.config;
    CHECK(config.listen.address == "127.0.0.1");
    CHECK(config.listen.port == 30'000);
    CHECK(config.admin.port == 29'000);
    CHECK(config.endpoints.empty());
    CHECK(config.scheduling.profiles.at(0).plugins.size() == 3);
    CHECK(config.shutdown_grace == 30s);
    CHECK_FALSE(config.proxy.debug_headers);
    REQUIRE(loaded.notes.size() == 1);
    CHECK(
        to_string(loaded.notes[0]) ==
        "endpoints: there is none yet: a start needs some here, or --endpoint URL, or --demo N"
    );
}

TEST_CASE("every section of a file reaches its options") {
    const LoadedConfig loaded = load(file_of(R"(
apiVersion: llm-d.ai/v1alpha1
kind: EndpointPickerConfig
plugins: [{type: queue-scorer}, {type: random-picker, name: dice}]
schedulingProfiles: [{name: p, plugins: [{pluginRef: dice}, {pluginRef: queue-scorer, weight: 0.5}]}]
listen: {address: "::", port: 0, headTimeout: 1s, bodyTimeout: 2s, keepAliveTimeout: 3s, writeTimeout: 4s}
admin: {address: 0.0.0.0, port: 0}
endpoints:
  - {name: a, url: "http://10.0.0.1:8000", labels: {llm-d.ai/role: decode}}
  - {url: "http://[fd00::2]:8000/base/", metricsUrl: "http://[fd00::2]:9000/metrics", engine: sglang}
metrics: {interval: 10ms, timeout: 20ms, staleAfter: 30ms}
health: {failures: 7, probeInterval: 40ms, probeTimeout: 50ms, probePath: /ping}
upstream: {connectTimeout: 5s, firstByteTimeout: 6s, idleTimeout: 7s, totalTimeout: 8s, retries: 3,
           keepAliveTimeout: 0s, idleConnections: 9}
limits: {requestBodyBytes: 1MiB, headerBytes: 2KiB, headerFields: 10, connections: 11}
shutdown: {grace: 0s}
log: {level: warn, format: json, access: false}
threads: 2
debugHeaders: true
)"));
    const Config& config = loaded.config;
    CHECK(loaded.notes.empty());
    CHECK(config.scheduling.plugins.at(1).name == "dice");
    CHECK(config.scheduling.profiles.at(0).plugins.at(1).weight == 0.5);
    CHECK_FALSE(config.scheduling.profiles.at(0).plugins.at(0).weight.has_value());
    CHECK(config.listen.address == "::");
    CHECK(config.listen.port == 0);
    CHECK(config.listen.head_timeout == 1s);
    CHECK(config.listen.body_timeout == 2s);
    CHECK(config.listen.keep_alive_timeout == 3s);
    CHECK(config.listen.write_timeout == 4s);
    CHECK(config.admin.address == "0.0.0.0");
    CHECK(config.admin.port == 0);
    REQUIRE(config.endpoints.size() == 2);
    CHECK(config.endpoints[0].name == "a");
    CHECK(config.endpoints[0].host == "10.0.0.1");
    CHECK(config.endpoints[0].engine == "vllm");
    CHECK(config.endpoints[0].labels.at("llm-d.ai/role") == "decode");
    CHECK(config.endpoints[1].name == "[fd00::2]:8000/base");
    CHECK(config.endpoints[1].host == "fd00::2");
    CHECK(config.endpoints[1].port == 8000);
    CHECK(config.endpoints[1].base_path == "/base");
    CHECK(config.endpoints[1].metrics_url == "http://[fd00::2]:9000/metrics");
    CHECK(config.endpoints[1].engine == "sglang");
    CHECK(config.data_layer.metrics.interval == 10ms);
    CHECK(config.data_layer.metrics.timeout == 20ms);
    CHECK(config.data_layer.metrics.stale_after == 30ms);
    CHECK(config.data_layer.health.failures_until_down == 7);
    CHECK(config.data_layer.health.probe_interval == 40ms);
    CHECK(config.data_layer.health.probe_timeout == 50ms);
    CHECK(config.data_layer.health.probe_path == "/ping");
    CHECK(config.upstream.connect_timeout == 5s);
    CHECK(config.upstream.first_byte_timeout == 6s);
    CHECK(config.upstream.idle_timeout == 7s);
    CHECK(config.upstream.total_timeout == 8s);
    CHECK(config.upstream.keep_alive_timeout == 0s);
    CHECK(config.upstream.idle_connections_max == 9);
    CHECK(config.proxy.retries == 3);
    CHECK(config.proxy.request_body_bytes_max == 1'048'576);
    CHECK(config.proxy.debug_headers);
    CHECK(config.listen.head.bytes == 2'048);
    CHECK(config.listen.head.fields == 10);
    CHECK(config.listen.connections_max == 11);
    CHECK(config.shutdown_grace == 0s);
    CHECK(config.log.level == "warn");
    CHECK(config.log.format == "json");
    CHECK_FALSE(config.log.access);
    CHECK(config.threads == 2);
}

TEST_CASE("a flag goes before the environment, that before the file, that before the default") {
    ConfigSources sources = file_of("listen: {port: 1}\nadmin: {port: 2}\nthreads: 3\nlog: {level: warn}\n");
    sources.environment = {
        {"WARMLANE_PORT", "11"}, {"WARMLANE_ADMIN_PORT", "12"}, {"WARMLANE_LOG_FORMAT", "json"}
    };
    sources.flags = {{"port", "20"}, {"port", "21"}, {"log-access", "false"}};
    const LoadedConfig loaded = load(sources);
    CHECK(loaded.config.listen.port == 21);
    CHECK(loaded.config.admin.port == 12);
    CHECK(loaded.config.threads == 3);
    CHECK(loaded.config.log.level == "warn");
    CHECK(loaded.config.log.format == "json");
    CHECK_FALSE(loaded.config.log.access);
    CHECK(loaded.config.proxy.retries == 2);

    CHECK(to_string(loaded.origins.of("listen.port")) == "flag --port");
    CHECK(to_string(loaded.origins.of("admin.port")) == "environment WARMLANE_ADMIN_PORT");
    CHECK(to_string(loaded.origins.of("threads")) == "f.yaml:3");
    CHECK(to_string(loaded.origins.of("upstream.retries")) == "default");
}

TEST_CASE("endpoints of flags and of the environment replace those of the file") {
    ConfigSources sources = file_of("endpoints: [{name: a, url: http://a:1}]\n");
    CHECK(load(sources).config.endpoints.at(0).name == "a");

    sources.environment = {{"WARMLANE_ENDPOINT", "http://b:1, c=http://c:1/x=y"}};
    const LoadedConfig of_environment = load(sources);
    REQUIRE(of_environment.config.endpoints.size() == 2);
    CHECK(of_environment.config.endpoints[0].name == "b:1");
    CHECK(of_environment.config.endpoints[1].name == "c");
    CHECK(of_environment.config.endpoints[1].base_path == "/x=y");
    CHECK(to_string(of_environment.origins.of("endpoints")) == "environment WARMLANE_ENDPOINT");

    sources.flags = {{"endpoint", "http://d:1"}};
    const LoadedConfig of_flag = load(sources);
    REQUIRE(of_flag.config.endpoints.size() == 1);
    CHECK(of_flag.config.endpoints[0].host == "d");
}

TEST_CASE("what a flag or a variable says wrong is told with its name") {
    ConfigSources sources;
    sources.environment = {{"WARMLANE_THREADS", "many"}};
    sources.flags = {
        {"port", "70000"}, {"endpoint", "10.0.0.1:8000"}, {"log-level", "verbose"}, {"head-timeout", "5"}
    };
    CHECK(
        text_of(errors_of(sources)) ==
        joined({
            "flag --endpoint: endpoints[0].url: the scheme is missing: write 'http://10.0.0.1:8000'",
            "flag --port: listen.port: must be between 0 and 65535",
            "environment WARMLANE_THREADS: threads: expected an integer, got a string",
            "flag --log-level: log.level: expected one of debug, info, warn, error, off, got 'verbose'",
            "flag --head-timeout: listen.headTimeout: expected a duration like 200ms, 30s, 5m or 1h, got '5'",
        })
    );
}

TEST_CASE("the demo shows who served what, unless it is told not to") {
    ConfigSources sources;
    sources.flags = {{"demo", "3"}};
    CHECK(load(sources).config.demo == 3);
    CHECK(load(sources).config.proxy.debug_headers);
    CHECK(load(sources).notes.empty());
    CHECK(to_string(load(sources).origins.of("debugHeaders")) == "flag --demo");
    sources.flags.emplace_back("debug-headers", "false");
    CHECK_FALSE(load(sources).config.proxy.debug_headers);
}

TEST_CASE("addresses that Kubernetes puts into the environment are not taken for ours") {
    ConfigSources sources;
    sources.environment = {
        {"WARMLANE_PORT", "tcp://10.96.0.1:30000"},
        {"WARMLANE_ADMIN_PROT", "29001"},
        {"WARMLANE_SERVICE_HOST", "10.96.0.1"},
        {"WARMLANE_DEMO", "1"},
    };
    const LoadedConfig loaded = load(sources);
    CHECK(loaded.config.listen.port == 30'000);
    REQUIRE(loaded.notes.size() == 1);
    CHECK(
        to_string(loaded.notes[0]) ==
        "environment WARMLANE_ADMIN_PROT: is not read; did you mean 'WARMLANE_ADMIN_PORT'?"
    );
}

TEST_CASE("a file that is not there, or that holds nothing or too much, is refused") {
    ConfigSources sources;
    sources.file = "/nowhere/f.yaml";
    CHECK(
        text_of(errors_of(sources)) == joined({"/nowhere/f.yaml: cannot be read: No such file or directory"})
    );
    sources.file = "/tmp";
    CHECK(text_of(errors_of(sources)) == joined({"/tmp: cannot be read: Is a directory"}));
    CHECK(text_of(errors_of(file_of(""))) == joined({"f.yaml:1: holds no configuration"}));
    CHECK(text_of(errors_of(file_of("# only a comment\n"))) == joined({"f.yaml:1: holds no configuration"}));
    CHECK(
        text_of(errors_of(file_of(std::string(1'048'577, '#')))) ==
        joined({"f.yaml: longer than 1048576 bytes"})
    );
    CHECK(load(file_of(std::string(1'048'500, '#') + "\nthreads: 2\n")).config.threads == 2);

    sources.file.clear();
    sources.environment = {{"WARMLANE_CONFIG", "/nowhere/g.yaml"}};
    CHECK(
        text_of(errors_of(sources)) == joined({"/nowhere/g.yaml: cannot be read: No such file or directory"})
    );
}

TEST_CASE("every file in conf/ is a configuration without a warning that it could help") {
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(WARMLANE_SOURCE_DIR "/conf")) {
        if (entry.path().extension() != ".yaml" && entry.path().extension() != ".json") {
            continue;
        }
        CAPTURE(entry.path().string());
        ++files;
        ConfigSources sources;
        sources.file = entry.path().string();
        for (const ConfigError& note : load(sources).notes) {
            CHECK(note.path == "endpoints");
        }
    }
    CHECK(files >= 2);
}

TEST_CASE("the sample file says the defaults") {
    ConfigSources sources;
    sources.file = WARMLANE_SOURCE_DIR "/conf/warmlane.yaml";
    Config sample = load(sources).config;
    CHECK(sample.endpoints.size() == 2);
    sample.endpoints.clear();
    CHECK(effective(sample, Secrets::shown) == effective(load({}).config, Secrets::shown));
}

}  // namespace
}  // namespace warmlane::config
