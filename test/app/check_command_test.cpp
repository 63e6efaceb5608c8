#include "app/check_report.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::app {
namespace {

std::string report_of(std::string text, bool& good) {
    config::ConfigSources sources;
    sources.file = "f.yaml";
    sources.text = std::move(text);
    const CheckReport report = check_configuration(sources);
    good = report.good;
    std::string lines;
    for (const std::string& line : report.lines) {
        lines += line + "\n";
    }
    return lines;
}

TEST_CASE("check: a good configuration is described, its doubts told") {
    bool good = false;
    const std::string report = report_of(
        "apiVersion: inference.networking.x-k8s.io/v1alpha1\nkind: EndpointPickerConfig\n"
        "plugins: [{type: queue-scorer}]\n"
        "endpoints: [{name: a, url: http://10.0.0.1:8000/base}]\n",
        good
    );
    CHECK(good);
    CAPTURE(report);
    CHECK(report.find("[ok] endpoint a at 10.0.0.1:8000/base (vllm)\n") != std::string::npos);
    CHECK(report.find("[ok] requests on 127.0.0.1 port 30000\n") != std::string::npos);
    CHECK(report.find("queue-scorer 1") != std::string::npos);
    CHECK(report.ends_with(
        "[warn] f.yaml:1: apiVersion: an older name; write llm-d.ai/v1alpha1\ngood: 1 warning\n"
    ));
}

TEST_CASE("check: every fault of a bad configuration is told, and nothing else") {
    bool good = true;
    const std::string report = report_of("listen: {prot: 1}\nthreads: many\n", good);
    CHECK_FALSE(good);
    CHECK(
        report ==
        "[fail] f.yaml:1: listen.prot: unknown key 'prot'; did you mean 'port'?\n"
        "[fail] f.yaml:2: threads: expected an integer, got a string\n"
        "bad: 2 errors\n"
    );
}

}  // namespace
}  // namespace warmlane::app
