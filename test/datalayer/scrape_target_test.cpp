#include "datalayer/scrape_target.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::datalayer {
namespace {

EndpointSpec spec_of(std::string host, std::string base_path, std::string metrics_url, std::string engine) {
    EndpointSpec spec;
    spec.name = "a";
    spec.host = std::move(host);
    spec.port = 8000;
    spec.base_path = std::move(base_path);
    spec.metrics_url = std::move(metrics_url);
    spec.engine = std::move(engine);
    return spec;
}

}  // namespace

TEST_CASE("scrape target: where the metrics of an endpoint are") {
    struct Row {
        const char* name = "";
        EndpointSpec spec;
        ScrapeTarget expected;
    };
    const Row rows[] = {
        {"usual path",
         spec_of("10.0.0.1", "", "", "vllm"),
         {"10.0.0.1", 8000, "10.0.0.1:8000", "/metrics", true}},
        {"behind a path",
         spec_of("10.0.0.1", "/llm", "", "vllm"),
         {"10.0.0.1", 8000, "10.0.0.1:8000", "/llm/metrics", true}},
        {"path of the engine",
         spec_of("fd00::2", "", "", "trtllm-serve"),
         {"fd00::2", 8000, "[fd00::2]:8000", "/prometheus/metrics", true}},
        {"port of its own",
         spec_of("10.0.0.1", "/llm", "http://10.0.0.1:9000/m?x=1", "vllm"),
         {"10.0.0.1", 9000, "10.0.0.1:9000", "/m?x=1", false}},
        {"host of its own",
         spec_of("10.0.0.1", "", "http://metrics.example/metrics", "vllm"),
         {"metrics.example", 80, "metrics.example", "/metrics", false}},
        {"same place, other path",
         spec_of("10.0.0.1", "", "http://10.0.0.1:8000/stats", "vllm"),
         {"10.0.0.1", 8000, "10.0.0.1:8000", "/stats", true}},
        {"IPv6 in the URL",
         spec_of("10.0.0.1", "", "http://[fd00::2]:9000/metrics", "vllm"),
         {"fd00::2", 9000, "[fd00::2]:9000", "/metrics", false}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const ScrapeTarget target = scrape_target(Endpoint(row.spec, 0)).value_or(ScrapeTarget{});
        CHECK(target.host == row.expected.host);
        CHECK(target.port == row.expected.port);
        CHECK(target.authority == row.expected.authority);
        CHECK(target.target == row.expected.target);
        CHECK(target.serves_requests == row.expected.serves_requests);
    }
}

TEST_CASE("scrape target: a URL that is no http one gives none") {
    for (const char* url : {"https://10.0.0.1/metrics", "10.0.0.1:9000", "http://", "nonsense"}) {
        CAPTURE(url);
        CHECK_FALSE(scrape_target(Endpoint(spec_of("10.0.0.1", "", url, "vllm"), 0)));
    }
}

TEST_CASE("IP literal: names are none") {
    CHECK(ip_literal("10.0.0.1") == "10.0.0.1");
    CHECK(ip_literal("fd00:0::2") == "fd00::2");
    CHECK(ip_literal("localhost").empty());
    CHECK(ip_literal("10.0.0").empty());
    CHECK(ip_literal("").empty());
}

}  // namespace warmlane::datalayer
