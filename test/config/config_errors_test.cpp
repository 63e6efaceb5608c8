#include "loading.hpp"

#include <string>
#include <vector>

namespace warmlane::config {
namespace {

using test::errors_of;
using test::file_of;
using test::joined;
using test::text_of;

constexpr const char* kHeaderMissing =
    "f.yaml:1: apiVersion: is missing beside plugins and schedulingProfiles; write apiVersion: "
    "llm-d.ai/v1alpha1";
constexpr const char* kHeader = "apiVersion: llm-d.ai/v1alpha1\nkind: EndpointPickerConfig\n";

struct Row {
    std::string name;
    std::string text;
    std::vector<std::string> lines;
};

void check(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(text_of(errors_of(file_of(row.text))) == joined(row.lines));
    }
}

TEST_CASE("everything that is wrong in a file is told at once, by line") {
    const std::string text = std::string(kHeader) + R"(plugins:
  - type: queue-scorer
    parameters: {treshold: 5}
  - type: quue-scorer
    name: second
  - type: max-score-picker
  - type: random-picker
schedulingProfiles:
  - name: default
    plugins:
      - pluginRef: queue-scorer
        weight: heavy
      - pluginRef: nobody
      - pluginRef: max-score-picker
      - pluginRef: random-picker
      - {pluginRef: second, wieght: 2}
listen: {prot: 30000}
)";
    const std::string expected =
        R"(f.yaml:5: plugins[0].parameters.treshold: unknown key 'treshold'
f.yaml:6: plugins[1].type: unknown plugin type 'quue-scorer'; did you mean 'queue-scorer'?
f.yaml:14: schedulingProfiles[0].plugins[0].weight: expected a number, got a string
f.yaml:15: schedulingProfiles[0].plugins[1].pluginRef: no plugin 'nobody' is declared
f.yaml:17: schedulingProfiles[0].plugins[3]: a second picker; the profile has 'max-score-picker' already
f.yaml:18: schedulingProfiles[0].plugins[4].wieght: unknown key 'wieght'; did you mean 'weight'?
f.yaml:19: listen.prot: unknown key 'prot'; did you mean 'port'?
)";
    CHECK(text_of(errors_of(file_of(text))) == expected);
}

TEST_CASE("mistakes at the top level") {
    check({
        {"a list", "- a\n", {"f.yaml:1: expected an object, got a list"}},
        {"one word", "hello\n", {"f.yaml:1: expected an object, got a string"}},
        {"an unknown key", "limts: {}\n", {"f.yaml:1: limts: unknown key 'limts'; did you mean 'limits'?"}},
        {"snake_case",
         "debug_headers: true\n",
         {"f.yaml:1: debug_headers: unknown key 'debug_headers'; did you mean 'debugHeaders'?"}},
        {"a section that is a word", "listen: yes\n", {"f.yaml:1: listen: expected an object, got a string"}},
        {"another version",
         "apiVersion: v1\nkind: EndpointPickerConfig\n",
         {"f.yaml:1: apiVersion: expected llm-d.ai/v1alpha1, got 'v1'"}},
        {"another kind",
         "apiVersion: llm-d.ai/v1alpha1\nkind: ConfigMap\n",
         {"f.yaml:2: kind: expected EndpointPickerConfig, got 'ConfigMap'"}},
        {"plugins without a header",
         "plugins: [{type: queue-scorer}]\n",
         {kHeaderMissing,
          "f.yaml:1: kind: is missing beside plugins and schedulingProfiles; write kind: EndpointPickerConfig"
         }},
        {"nesting as in Kubernetes",
         std::string(kHeader) + "metadata: {name: x}\nspec: {plugins: []}\n",
         {"f.yaml:3: metadata: EndpointPickerConfig has no metadata; its content stands at the top level",
          "f.yaml:4: spec: EndpointPickerConfig has no spec; its content stands at the top level"}},
        {"broken YAML says nothing else",
         "listen: {port: 1\n",
         {"f.yaml:2: not YAML: end of map flow not found"}},
    });
}

TEST_CASE("mistakes in plugins and profiles") {
    const std::string head = kHeader;
    check({
        {"a plugin without type",
         head + "plugins:\n  - name: x\n",
         {"f.yaml:4: plugins[0].type: every plugin needs a type"}},
        {"a type of the wrong kind",
         head + "plugins:\n  - type: 5\n",
         {"f.yaml:4: plugins[0].type: expected a string, got a number"}},
        {"a plugin that is a word",
         head + "plugins: [queue-scorer]\n",
         {"f.yaml:3: plugins[0]: expected an object, got a string"}},
        {"no list",
         head + "plugins: {type: queue-scorer}\n",
         {"f.yaml:3: plugins: expected a list, got an object"}},
        {"a name twice",
         head + "plugins:\n  - type: queue-scorer\n  - {type: random-picker, name: queue-scorer}\n",
         {"f.yaml:5: plugins[1].name: the name 'queue-scorer' is taken by plugins[0]"}},
        {"a profile without name",
         head + "plugins: [{type: queue-scorer}]\nschedulingProfiles:\n  - plugins: [{pluginRef: "
                "queue-scorer}]\n",
         {"f.yaml:5: schedulingProfiles[0].name: every profile needs a name"}},
        {"a profile twice",
         head + "plugins: [{type: queue-scorer}]\nschedulingProfiles:\n  - {name: p}\n  - {name: p}\n",
         {"f.yaml:4: schedulingProfiles: two or more profiles need a profile handler, and none is declared",
          "f.yaml:6: schedulingProfiles[1].name: the name 'p' is taken by schedulingProfiles[0]"}},
        {"an entry without pluginRef",
         head + "plugins: [{type: queue-scorer}]\nschedulingProfiles: [{name: p, plugins: [{weight: 2}]}]\n",
         {"f.yaml:4: schedulingProfiles[0].plugins[0].pluginRef: every entry names a plugin"}},
        {"a negative weight",
         head + "plugins: [{type: queue-scorer}]\nschedulingProfiles:\n  - name: p\n    plugins:\n"
                "      - {pluginRef: queue-scorer, weight: -1}\n",
         {"f.yaml:7: schedulingProfiles[0].plugins[0].weight: bad weight -1: must be a finite number, 0 or "
          "more"}},
        {"two pickers and no profile",
         head + "plugins:\n  - type: random-picker\n  - type: max-score-picker\n",
         {"f.yaml:5: plugins[1]: a second picker; the profile has 'random-picker' already"}},
        {"a type that is not run",
         head + "plugins:\n  - type: decode-filter\n",
         {"f.yaml:4: plugins[0].type: plugin type 'decode-filter' is not run here: prefill, decode and "
          "encode are "
          "not split over endpoints."}},
    });
}

TEST_CASE("mistakes in endpoints") {
    check({
        {"no list", "endpoints: http://a:1\n", {"f.yaml:1: endpoints: expected a list, got a string"}},
        {"a bare URL in the list",
         "endpoints: [http://a:1]\n",
         {"f.yaml:1: endpoints[0]: expected an object, got a string"}},
        {"no URL",
         "endpoints:\n  - name: a\n",
         {"f.yaml:2: endpoints[0].url: every endpoint needs one, like http://10.0.0.1:8000"}},
        {"a URL that is a number",
         "endpoints: [{url: 8000}]\n",
         {"f.yaml:1: endpoints[0].url: expected a string, got a number"}},
        {"a URL out of nowhere",
         "endpoints: [{url: \"${NOWHERE}\"}]\n",
         {"f.yaml:1: endpoints[0].url: the environment variable 'NOWHERE' is not set"}},
        {"an empty URL",
         "endpoints: [{url: ''}]\n",
         {"f.yaml:1: endpoints[0].url: expected a URL like http://10.0.0.1:8000, got ''"}},
        {"one bad, one good, one misspelled",
         "endpoints:\n  - url: http://a:70000\n  - url: http://b:1\n  - ulr: http://c:1\n",
         {"f.yaml:2: endpoints[0].url: bad port '70000': must be between 1 and 65535",
          "f.yaml:4: endpoints[2].url: every endpoint needs one, like http://10.0.0.1:8000",
          "f.yaml:4: endpoints[2].ulr: unknown key 'ulr'; did you mean 'url'?"}},
        {"a name twice",
         "endpoints:\n  - {name: x, url: http://a:1}\n  - {name: x, url: http://b:1}\n",
         {"f.yaml:3: endpoints[1].name: the name 'x' is taken by endpoints[0]"}},
        {"a place twice, spelled in two ways",
         "endpoints:\n  - {name: x, url: http://A:80/}\n  - {name: y, url: http://a}\n",
         {"f.yaml:3: endpoints[1].url: the same place as endpoints[0]"}},
        {"a name with a blank",
         "endpoints: [{name: a b, url: http://a:1}]\n",
         {"f.yaml:1: endpoints[0].name: 'a b' cannot be a name: 1 to 320 printable ASCII characters without "
          "blanks, quotes, backslashes, commas and equal signs"}},
        {"an unknown engine",
         "endpoints: [{url: http://a:1, engine: sglag}]\n",
         {"f.yaml:1: endpoints[0].engine: expected one of vllm, sglang, trtllm-serve, triton-tensorrt-llm, "
          "triton, llamacpp, tgi, lmdeploy, got "
          "'sglag'; "
          "did you mean 'sglang'?"}},
        {"a label that is a number",
         "endpoints: [{url: http://a:1, labels: {rank: 1}}]\n",
         {"f.yaml:1: endpoints[0].labels.rank: expected a string, got a number"}},
        {"https for metrics",
         "endpoints: [{url: http://a:1, metricsUrl: https://a:2/metrics}]\n",
         {"f.yaml:1: endpoints[0].metricsUrl: https to endpoints is not spoken; use http"}},
    });
}

TEST_CASE("mistakes in settings") {
    check({
        {"a port that is too large",
         "listen: {port: 65536}\n",
         {"f.yaml:1: listen.port: must be between 0 and 65535"}},
        {"a port in words",
         "listen:\n  port: http\n",
         {"f.yaml:2: listen.port: expected an integer, got a string"}},
        {"a host name to listen on",
         "listen: {address: localhost}\n",
         {"f.yaml:1: listen.address: expected an IP address like 127.0.0.1, 0.0.0.0 or ::, got 'localhost'"}},
        {"one port for both",
         "listen: {port: 29000}\n",
         {"f.yaml:1: admin.port: 29000 is the port of listen already"}},
        {"a duration without unit",
         "metrics: {interval: 200}\n",
         {"f.yaml:1: metrics.interval: expected a duration like 200ms, 30s, 5m or 1h, got a number"}},
        {"an interval that is too short",
         "metrics: {interval: 9ms}\n",
         {"f.yaml:1: metrics.interval: must be at least 10ms"}},
        {"a timeout of nothing",
         "upstream: {connectTimeout: 0s}\n",
         {"f.yaml:1: upstream.connectTimeout: must be at least 1ms"}},
        {"a size in a wrong unit",
         "limits: {requestBodyBytes: 64MB}\n",
         {"f.yaml:1: limits.requestBodyBytes: expected a size like 4096, 64KiB or 64MiB, got '64MB'"}},
        {"heads that are too small",
         "limits: {headerBytes: 10}\n",
         {"f.yaml:1: limits.headerBytes: must be at least 1024 bytes"}},
        {"yes for true",
         "debugHeaders: yes\n",
         {"f.yaml:1: debugHeaders: expected true or false, got a string"}},
        {"an unknown level",
         "log: {level: inf}\n",
         {"f.yaml:1: log.level: expected one of debug, info, warn, error, off, got 'inf'; did you mean "
          "'info'?"}},
        {"a probe path that is none",
         "health: {probePath: health}\n",
         {"f.yaml:1: health.probePath: expected a path like /health, got 'health'"}},
    });
}

}  // namespace
}  // namespace warmlane::config
