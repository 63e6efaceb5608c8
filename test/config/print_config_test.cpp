#include "warmlane/config/print_config.hpp"

#include "loading.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <string>

namespace warmlane::config {
namespace {

using test::file_of;
using test::load;

TEST_CASE("what is printed loads, and says the same") {
    struct Row {
        std::string name;
        ConfigSources sources;
    };
    ConfigSources sample;
    sample.file = WARMLANE_SOURCE_DIR "/conf/warmlane.yaml";
    ConfigSources demo;
    demo.flags = {{"demo", "2"}, {"port", "0"}};
    ConfigSources awkward = file_of(R"(
apiVersion: llm-d.ai/v1alpha1
kind: EndpointPickerConfig
plugins:
  - {type: approx-prefix-cache-producer, name: "true", parameters: {hashSecret: "$$a: \"#1\"\n\u00e9", lruCapacityPerServer: 7}}
  - {type: prefix-cache-scorer, name: "5"}
  - {type: random-picker, name: "- x", parameters: {}}
endpoints:
  - {name: "::1", url: "http://[::1]:1", labels: {"a: b": "1", c: "", d: "yes", e: "$${X}", f: " g "}}
listen: {address: "::"}
)");
    const Row rows[] = {
        {"nothing given", {}},
        {"the sample", sample},
        {"a demo", demo},
        {"texts that YAML could misread", awkward}
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const LoadedConfig loaded = load(row.sources);
        const std::string printed = print_config(loaded);
        CAPTURE(printed);
        const LoadedConfig again = load(file_of(printed));
        CHECK(effective(again.config, Secrets::shown) == effective(loaded.config, Secrets::shown));
    }
}

TEST_CASE("each value is printed with its origin") {
    ConfigSources sources = file_of("listen: {port: 1}\nendpoints:\n  - url: http://a:1\n");
    sources.environment = {{"WARMLANE_THREADS", "4"}};
    sources.flags = {{"admin-port", "2"}};
    const std::string printed = print_config(load(sources));
    for (const char* line : {
             "endpoints:                              # f.yaml:2\n  - name: a:1\n    url: http://a:1\n",
             "\n  address: 127.0.0.1                    # default\n",
             "\n  port: 1                               # f.yaml:1\n",
             "\n  port: 2                               # flag --admin-port\n",
             "\nthreads: 4                              # environment WARMLANE_THREADS\n",
             "\n  requestBodyBytes: 64MiB               # default\n",
         }) {
        CAPTURE(line);
        CAPTURE(printed);
        CHECK(printed.find(line) != std::string::npos);
    }
}

TEST_CASE("secrets are hidden from who asks the running process") {
    const LoadedConfig loaded = load(file_of(R"(
apiVersion: llm-d.ai/v1alpha1
kind: EndpointPickerConfig
plugins: [{type: approx-prefix-cache-producer, parameters: {hashSecret: hunter2}}, {type: prefix-cache-scorer}]
)"));
    CHECK(loaded.config.effective_json.find("hunter2") == std::string::npos);
    const boost::json::value report = boost::json::parse(loaded.config.effective_json);
    CHECK(report.at("plugins").at(0).at("parameters").at("hashSecret") == "***");
    CHECK(report.at("listen").at("port") == 30'000);
    CHECK(print_config(loaded).find("hashSecret: hunter2") != std::string::npos);
}

}  // namespace
}  // namespace warmlane::config
