#include "loading.hpp"

#include <string>
#include <vector>

namespace warmlane::config {
namespace {

using test::errors_of;
using test::file_of;
using test::joined;
using test::load;
using test::text_of;

constexpr const char* kHeader = "apiVersion: llm-d.ai/v1alpha1\nkind: EndpointPickerConfig\n";

std::vector<std::string> notes_of(const std::string& text) {
    std::vector<std::string> lines;
    for (const ConfigError& note : load(file_of(text)).notes) {
        if (note.path != "endpoints") {
            lines.push_back(to_string(note));
        }
    }
    return lines;
}

TEST_CASE("an EndpointPickerConfig is a configuration as it stands") {
    struct Row {
        std::string name;
        std::string text;
        std::vector<std::string> notes;
    };
    const Row rows[] = {
        {"the older group",
         "apiVersion: inference.networking.x-k8s.io/v1alpha1\nkind: EndpointPickerConfig\n"
         "plugins: [{type: queue-scorer}]\n",
         {"f.yaml:1: apiVersion: an older name; write llm-d.ai/v1alpha1"}},
        {"indented, after an empty line",
         "\n    apiVersion: llm-d.ai/v1alpha1\n    kind: EndpointPickerConfig\n    plugins:\n"
         "    - type: queue-scorer\n",
         {}},
        {"the picker first, weights left out, a handler that nobody names",
         std::string(kHeader) + "plugins: [{type: single-profile-handler}, {type: max-score-picker}, "
                                "{type: queue-scorer}]\n"
                                "schedulingProfiles:\n- name: default\n  plugins:\n"
                                "  - pluginRef: max-score-picker\n  - pluginRef: queue-scorer\n",
         {}},
        {"named producers",
         std::string(kHeader) +
             "plugins:\n- {type: approx-prefix-cache-producer, name: p, parameters: {blockSizeTokens: 128}}\n"
             "- {type: prefix-cache-scorer, name: s, parameters: {prefixMatchInfoProducerName: p}}\n"
             "schedulingProfiles: [{name: default, plugins: [{pluginRef: s, weight: 2.0}]}]\n",
         {}},
        {"sections that ask for what is always done",
         std::string(kHeader) + "plugins:\n- type: queue-scorer\n- type: metrics-data-source\n"
                                "- {type: core-metrics-extractor, name: core}\n"
                                "featureGates: [flowControl=false, haPopulateNonLeaderDatastore]\n"
                                "dataLayer:\n  sources:\n  - pluginRef: metrics-data-source\n    extractors: "
                                "[{pluginRef: core}]\n"
                                "requestHandler: {parsers: [{pluginRef: openai-parser}]}\n"
                                "flowControl: {}\n",
         {"f.yaml:5: plugins[1].type: what metrics-data-source does is always done; the entry changes "
          "nothing",
          "f.yaml:6: plugins[2].type: what core-metrics-extractor does is always done; the entry changes "
          "nothing"}},
        {"the older place of the parser", std::string(kHeader) + "parser: {pluginRef: openai-parser}\n", {}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(joined(notes_of(row.text)) == joined(row.notes));
    }
}

TEST_CASE("weights may be whole, fractions or mixed") {
    const LoadedConfig loaded = load(file_of(
        std::string(kHeader) +
        "plugins: [{type: queue-scorer}, {type: kv-cache-utilization-scorer}, {type: prefix-cache-scorer}]\n"
        "schedulingProfiles:\n- name: p\n  plugins:\n  - {pluginRef: queue-scorer, weight: 2}\n"
        "  - {pluginRef: kv-cache-utilization-scorer, weight: 2.0}\n  - {pluginRef: prefix-cache-scorer, "
        "weight: 0.5}\n"
    ));
    const auto& refs = loaded.config.scheduling.profiles.at(0).plugins;
    CHECK(refs.at(0).weight == 2);
    CHECK(refs.at(1).weight == 2);
    CHECK(refs.at(2).weight == 0.5);
}

TEST_CASE("entries that change nothing are left out, and so is who names them") {
    const LoadedConfig loaded = load(file_of(
        std::string(kHeader) +
        "plugins: [{type: token-producer, name: tokens}, {type: queue-scorer}]\n"
        "schedulingProfiles: [{name: p, plugins: [{pluginRef: tokens}, {pluginRef: queue-scorer}]}]\n"
    ));
    CHECK(loaded.config.scheduling.plugins.size() == 1);
    CHECK(loaded.config.scheduling.profiles.at(0).plugins.size() == 1);
}

TEST_CASE("what is not run is refused, never dropped") {
    struct Row {
        std::string name;
        const char* text;
        std::vector<std::string> lines;
    };
    const Row rows[] = {
        {"parameters of what is done without",
         "plugins: [{type: token-producer, parameters: {modelName: x}}]\n",
         {"f.yaml:3: plugins[0].type: plugin type 'token-producer' is not run here: prompts are cut into "
          "blocks by "
          "approx-prefix-cache-producer itself; remove the entry."}},
        {"flow control",
         "flowControl: {maxBytes: 1}\n",
         {"f.yaml:3: flowControl: flow control is not run yet; remove the section"}},
        {"a saturation detector",
         "saturationDetector: {pluginRef: utilization-detector}\n",
         {"f.yaml:3: saturationDetector: flow control is not run yet; remove the section"}},
        {"the gate of flow control",
         "featureGates: [flowControl]\n",
         {"f.yaml:3: featureGates[0]: flow control is not run yet; remove the gate"}},
        {"an unknown gate",
         "featureGates: [flowControll=false]\n",
         {"f.yaml:3: featureGates[0]: unknown feature gate 'flowControll'; did you mean 'flowControl'?"}},
        {"a gate that is neither",
         "featureGates: [flowControl=maybe]\n",
         {"f.yaml:3: featureGates[0]: expected flowControl=true or flowControl=false, got 'flowControl=maybe'"
         }},
        {"discovery",
         "dataLayer: {discovery: {pluginRef: file-discovery}}\n",
         {"f.yaml:3: dataLayer.discovery: endpoints are not discovered by plugins yet; list them in the "
          "section "
          "endpoints"}},
        {"no scraping",
         "dataLayer: {injectDefaults: false}\n",
         {"f.yaml:3: dataLayer.injectDefaults: endpoints are always scraped; remove the key"}},
        {"another source",
         "dataLayer: {sources: [{pluginRef: dcgm-data-source}]}\n",
         {"f.yaml:3: dataLayer.sources[0].pluginRef: 'dcgm-data-source' is not run in this place"}},
        {"a source of nothing",
         "dataLayer: {sources: [{pluginRef: nobody}]}\n",
         {"f.yaml:3: dataLayer.sources[0].pluginRef: no plugin 'nobody' is declared"}},
        {"a misspelled key",
         "dataLayer: {source: []}\n",
         {"f.yaml:3: dataLayer.source: unknown key 'source'; did you mean 'sources'?"}},
        {"another parser",
         "requestHandler: {parsers: [{pluginRef: vllmgrpc-parser}]}\n",
         {"f.yaml:3: requestHandler.parsers[0].pluginRef: 'vllmgrpc-parser' is not run in this place"}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(text_of(errors_of(file_of(std::string(kHeader) + row.text))) == joined(row.lines));
    }
}

}  // namespace
}  // namespace warmlane::config
