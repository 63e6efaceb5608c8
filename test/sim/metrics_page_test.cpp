#include "sim/metrics_page.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <set>
#include <sstream>
#include <string>

namespace warmlane::sim {
namespace {

using namespace std::chrono_literals;

/// The samples of a page by name and labels; every line must be a comment or a sample.
std::map<std::string, double> samples_of(const std::string& page) {
    std::map<std::string, double> samples;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("# HELP ") || line.starts_with("# TYPE ")) {
            continue;
        }
        const std::size_t space = line.rfind(' ');
        REQUIRE(space != std::string::npos);
        std::size_t used = 0;
        const double value = std::stod(line.substr(space + 1), &used);
        CHECK(used == line.size() - space - 1);
        CHECK(samples.emplace(line.substr(0, space), value).second);
    }
    return samples;
}

std::string page_of(const EngineStats& stats, const RequestHistograms& histograms, std::string_view model) {
    const EngineOptions engine;
    return metrics_page({
        .model = model,
        .engine = engine,
        .stats = stats,
        .histograms = histograms,
        .process_start_time = 1'789'000'000.25,
    });
}

/// Name of the family that a sample's line belongs to.
std::string family_of(const std::string& line) {
    std::string name = line.substr(0, line.find_first_of("{ "));
    for (const std::string_view suffix : {"_bucket", "_count", "_sum"}) {
        if (name.ends_with(suffix)) {
            name.resize(name.size() - suffix.size());
        }
    }
    return name;
}

}  // namespace

TEST_CASE("metrics page: vLLM's families with model and engine, and the process's start") {
    EngineStats stats;
    stats.running = 3;
    stats.waiting = 12;
    stats.kv_usage = 0.4178;
    stats.prompt_tokens = 1'843'000;
    stats.aborted = 2;
    auto samples = samples_of(page_of(stats, {}, "m"));
    const std::string labels = R"({engine="0",model_name="m"})";
    CHECK(samples["vllm:num_requests_running" + labels] == 3);
    CHECK(samples["vllm:num_requests_waiting" + labels] == 12);
    CHECK(samples["vllm:kv_cache_usage_perc" + labels] == 0.4178);
    CHECK(samples["vllm:prompt_tokens_total" + labels] == 1'843'000);
    CHECK(samples["sim_aborted_requests_total" + labels] == 2);
    CHECK(samples[R"(vllm:request_success_total{engine="0",model_name="m",finished_reason="abort"})"] == 2);
    CHECK(samples["process_start_time_seconds"] == 1'789'000'000.25);
    CHECK(samples.contains(
        R"(vllm:cache_config_info{block_size="16",cache_dtype="auto",enable_prefix_caching="True",engine="0",)"
        R"(num_gpu_blocks="4096"})"
    ));
    for (const std::string name :
         {"prefix_cache_hits", "prefix_cache_queries", "generation_tokens", "num_preemptions"}) {
        CAPTURE(name);
        CHECK(samples.contains(fmt::format("vllm:{}_total{}", name, labels)));
    }
}

TEST_CASE("metrics page: histograms count up to their bounds") {
    RequestHistograms histograms;
    EngineEvent event;
    event.output_tokens = 1;
    event.prompt_tokens = 30;
    event.since_arrival = 50ms;
    event.queued = 2ms;
    histograms.observe(event, StopReason::length);
    event.output_tokens = 2;
    event.since_last_token = 25ms;
    event.since_arrival = 75ms;
    event.finished = true;
    histograms.observe(event, StopReason::length);
    auto samples = samples_of(page_of({}, histograms, "m"));
    const std::string labels = R"(engine="0",model_name="m"})";
    const auto bucket = [&](const std::string& name, const std::string& bound) {
        return samples.at("vllm:" + name + "_bucket{le=\"" + bound + "\"," + labels);
    };
    CHECK(bucket("time_to_first_token_seconds", "0.04") == 0);
    CHECK(bucket("time_to_first_token_seconds", "0.06") == 1);
    CHECK(bucket("time_to_first_token_seconds", "+Inf") == 1);
    CHECK(bucket("inter_token_latency_seconds", "0.01") == 0);
    CHECK(bucket("inter_token_latency_seconds", "0.025") == 1);
    CHECK(bucket("request_prompt_tokens", "20.0") == 0);
    CHECK(bucket("request_prompt_tokens", "50.0") == 1);
    CHECK(samples.at("vllm:e2e_request_latency_seconds_sum{" + labels) == 0.075);
    CHECK(samples.at("vllm:e2e_request_latency_seconds_count{" + labels) == 1);
    CHECK(
        samples.at(R"(vllm:request_success_total{engine="0",model_name="m",finished_reason="length"})") == 1
    );
}

TEST_CASE("metrics page: a model's name is escaped") {
    const std::string page = page_of({}, {}, "a\"b\\c\nd");
    CHECK(page.find(R"(model_name="a\"b\\c\nd")") != std::string::npos);
}

TEST_CASE("metrics page: every family is described before its samples, once") {
    const std::string page = page_of({}, {}, "m");
    std::set<std::string> described;
    std::istringstream lines(page);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("# TYPE ")) {
            const bool is_first = described.insert(line.substr(7, line.find(' ', 7) - 7)).second;
            CHECK(is_first);
        } else if (!line.starts_with('#')) {
            const bool is_described = described.contains(family_of(line));
            CHECK(is_described);
        }
    }
    CHECK(described.size() > 15);
}

}  // namespace warmlane::sim
