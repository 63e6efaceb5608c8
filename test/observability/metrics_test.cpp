#include "warmlane/observability/metrics.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

namespace warmlane::observability {
namespace {

bool has_line(const Metrics& metrics, const std::string& wanted) {
    std::istringstream page(metrics.page());
    for (std::string line; std::getline(page, line);) {
        if (line == wanted) {
            return true;
        }
    }
    return false;
}

std::size_t lines_with(const Metrics& metrics, const std::string& part) {
    std::istringstream page(metrics.page());
    std::size_t count = 0;
    for (std::string line; std::getline(page, line);) {
        count += line.find(part) != std::string::npos ? 1 : 0;
    }
    return count;
}

RequestSample sample_of(std::string_view model, unsigned code) {
    RequestSample sample;
    sample.model = model;
    sample.code = code;
    return sample;
}

}  // namespace

TEST_CASE("metrics: a request is counted, timed and compared with its prediction") {
    Metrics metrics;
    RequestSample sample = sample_of("llama", 200);
    sample.duration = Seconds{0.3};
    sample.overhead = Seconds{40e-6};
    sample.time_to_first_byte = Seconds{0.02};
    sample.decision = Seconds{3e-6};
    sample.prefix_match_ratio = 0.75;
    sample.retries = 2;
    metrics.observe_request(sample);
    metrics.observe_request(sample_of("llama", 200));
    metrics.observe_chunk_gap(Seconds{0.004});

    const char* const lines[] = {
        R"(warmlane_requests_total{code="200",model="llama"} 2)",
        R"(warmlane_request_duration_seconds_bucket{le="0.25"} 1)",
        R"(warmlane_request_duration_seconds_bucket{le="0.5"} 2)",
        R"(warmlane_request_duration_seconds_count 2)",
        R"(warmlane_time_to_first_byte_seconds_count 1)",
        R"(warmlane_time_to_first_byte_seconds_bucket{le="0.025"} 1)",
        R"(warmlane_overhead_seconds_bucket{le="5e-05"} 2)",
        R"(warmlane_decision_seconds_bucket{le="5e-06"} 1)",
        R"(warmlane_decision_seconds_bucket{le="2.5e-06"} 0)",
        R"(warmlane_prefix_match_ratio_bucket{le="0.7"} 0)",
        R"(warmlane_prefix_match_ratio_bucket{le="0.8"} 1)",
        R"(warmlane_inter_chunk_seconds_bucket{le="0.005"} 1)",
        R"(warmlane_retries_total 2)",
    };
    for (const char* line : lines) {
        CAPTURE(line);
        CHECK(has_line(metrics, line));
    }
}

TEST_CASE("metrics: what one endpoint did stands under its name") {
    Metrics metrics;
    metrics.count_upstream("a", 200);
    metrics.count_upstream("a", 200);
    metrics.count_upstream("b", 503);
    metrics.count_upstream_error("a", "connect");
    metrics.count_scrape_error("b");
    metrics.observe_tokens("a", {.prompt = 100, .completion = 7, .cached = 64, .predicted_cached = 80});

    const char* const lines[] = {
        R"(warmlane_upstream_requests_total{code="200",endpoint="a"} 2)",
        R"(warmlane_upstream_requests_total{code="503",endpoint="b"} 1)",
        R"(warmlane_upstream_errors_total{endpoint="a",kind="connect"} 1)",
        R"(warmlane_scrape_errors_total{endpoint="b"} 1)",
        R"(warmlane_prompt_tokens_total{endpoint="a"} 100)",
        R"(warmlane_completion_tokens_total{endpoint="a"} 7)",
        R"(warmlane_cached_tokens_total{endpoint="a"} 64)",
        R"(warmlane_predicted_cached_tokens_total{endpoint="a"} 80)",
    };
    for (const char* line : lines) {
        CAPTURE(line);
        CHECK(has_line(metrics, line));
    }
}

TEST_CASE("metrics: the state of an endpoint is one series of five") {
    Metrics metrics;
    EndpointGauges gauges;
    gauges.up = true;
    gauges.state = "suspect";
    gauges.in_flight_requests = 3;
    gauges.in_flight_tokens = 1'234;
    gauges.index_blocks = 17;
    gauges.waiting = 4;
    gauges.running = 2;
    gauges.kv_usage = 0.5;
    gauges.metrics_age = Seconds{0.25};
    metrics.set_endpoint("a", gauges);
    metrics.set_connections(9);
    metrics.set_index_bytes(4'096);

    const char* const lines[] = {
        R"(warmlane_endpoint_up{endpoint="a"} 1)",
        R"(warmlane_endpoint_state{endpoint="a",state="suspect"} 1)",
        R"(warmlane_endpoint_state{endpoint="a",state="up"} 0)",
        R"(warmlane_in_flight_requests{endpoint="a"} 3)",
        R"(warmlane_in_flight_tokens{endpoint="a"} 1234)",
        R"(warmlane_prefix_index_blocks{endpoint="a"} 17)",
        R"(warmlane_endpoint_waiting_requests{endpoint="a"} 4)",
        R"(warmlane_endpoint_running_requests{endpoint="a"} 2)",
        R"(warmlane_endpoint_kv_usage_ratio{endpoint="a"} 0.5)",
        R"(warmlane_metrics_age_seconds{endpoint="a"} 0.25)",
        R"(warmlane_connections 9)",
        R"(warmlane_prefix_index_bytes 4096)",
    };
    for (const char* line : lines) {
        CAPTURE(line);
        CHECK(has_line(metrics, line));
    }
    CHECK(lines_with(metrics, R"(state="ejected"} 0)") == 1);
}

TEST_CASE("metrics: an endpoint that is gone leaves no series, and others keep theirs") {
    Metrics metrics;
    for (const char* name : {"a", "ab"}) {
        metrics.count_upstream(name, 200);
        metrics.count_upstream(name, 404);
        metrics.count_upstream_error(name, "closed");
        metrics.count_scrape_error(name);
        metrics.observe_tokens(name, {});
        metrics.set_endpoint(name, {});
    }
    const std::size_t before = lines_with(metrics, R"(endpoint="ab")");
    metrics.remove_endpoint("a");
    CHECK(lines_with(metrics, R"(endpoint="a")") == 0);
    CHECK(lines_with(metrics, R"(endpoint="ab")") == before);
    metrics.count_upstream("a", 200);
    CHECK(has_line(metrics, R"(warmlane_upstream_requests_total{code="200",endpoint="a"} 1)"));
}

TEST_CASE("metrics: clients cannot grow the page by inventing models") {
    Metrics metrics;
    metrics.observe_request(sample_of("real", 200));
    for (int i = 0; i < 1'000; ++i) {
        metrics.observe_request(sample_of("invented-" + std::to_string(i), 404));
    }
    metrics.observe_request(sample_of("real", 200));
    CHECK(lines_with(metrics, "warmlane_requests_total{") == Metrics::kModelsMax + 1);
    CHECK(has_line(metrics, R"(warmlane_requests_total{code="404",model="other"} 801)"));
    CHECK(has_line(metrics, R"(warmlane_requests_total{code="200",model="real"} 2)"));
}

TEST_CASE("metrics: a model name that is no fit for a label counts as another one") {
    struct Row {
        const char* name;
        std::string model;
    };
    const Row rows[] = {
        {"invalid UTF-8", "a\xff"},
        {"line end", "a\nb"},
        {"quote", "a\"b"},
        {"too long", std::string(129, 'm')},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        Metrics metrics;
        metrics.observe_request(sample_of(row.model, 400));
        CHECK(has_line(metrics, R"(warmlane_requests_total{code="400",model="other"} 1)"));
        CHECK(lines_with(metrics, "warmlane_requests_total{") == 1);
    }
}

TEST_CASE("metrics: a client that left before a status was sent counts as aborted") {
    Metrics metrics;
    metrics.observe_request(sample_of("m", 0));
    CHECK(has_line(metrics, R"(warmlane_requests_total{code="aborted",model="m"} 1)"));
}

TEST_CASE("metrics: every family on the page tells its type and what it means") {
    Metrics metrics;
    metrics.set_endpoint("a", {});
    metrics.count_upstream("a", 200);
    const std::size_t types = lines_with(metrics, "# TYPE warmlane_");
    CHECK(types == 15);
    CHECK(lines_with(metrics, "# HELP warmlane_") == types);
}

}  // namespace warmlane::observability
