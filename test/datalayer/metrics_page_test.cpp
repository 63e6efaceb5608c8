#include "datalayer/metrics_page.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

namespace warmlane::datalayer {
namespace {

using Number = std::optional<double>;
constexpr std::nullopt_t kNone = std::nullopt;

std::string page_of(const std::string& name) {
    std::ifstream file(std::string(WARMLANE_TEST_DATA) + "/metrics/" + name + ".txt");
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What is there, as words.
std::string summary(const EndpointMetrics& metrics) {
    std::vector<std::string> words;
    const auto add = [&words](const char* name, Number value) {
        if (value) {
            words.push_back(fmt::format("{}={}", name, *value));
        }
    };
    add("waiting", metrics.waiting);
    add("running", metrics.running);
    add("kv", metrics.kv_usage);
    const auto text = [](const auto& value) { return value ? std::to_string(*value) : "?"; };
    if (metrics.block_count || metrics.block_tokens) {
        words.push_back(fmt::format("blocks={}x{}", text(metrics.block_count), text(metrics.block_tokens)));
    }
    return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

TEST_CASE("metrics page: every engine's own page") {
    struct Row {
        const char* engine = "";
        Number waiting;
        Number running;
        Number kv_usage;
        std::optional<std::uint32_t> block_tokens;
        std::optional<std::uint64_t> block_count;
        Number prompt_tokens;
        Number start_time;
    };
    const Row rows[] = {
        {"vllm", 12, 12, 0.5, 16, 27'483, 2'917'412 + 2'801'770, 1.75738420193e9},
        {"sglang", 6, 11, 0.28, 64, 11'147, 8'128'902, kNone},
        {"trtllm-serve", 2, 8, 0.37, 32, 62'762, kNone, 1.78800000025e9},
        {"triton-tensorrt-llm", 3, 4, 0.42, 64, 6'239, kNone, kNone},
        {"llamacpp", 2, 1, kNone, kNone, kNone, 4'096, kNone},
        {"tgi", 4, 12, kNone, kNone, kNone, 52'310, kNone},
        {"lmdeploy", 1, 3, 0.125, kNone, kNone, 90'112, kNone},
    };
    for (const Row& row : rows) {
        CAPTURE(row.engine);
        const MetricsPage page = read_metrics_page(row.engine, page_of(row.engine));
        CHECK(page.malformed_lines == 0);
        CHECK(page.has_load());
        CHECK(page.metrics.waiting == row.waiting);
        CHECK(page.metrics.running == row.running);
        CHECK(page.metrics.kv_usage == row.kv_usage);
        CHECK(page.metrics.block_tokens == row.block_tokens);
        CHECK(page.metrics.block_count == row.block_count);
        CHECK(page.metrics.prompt_tokens_total == row.prompt_tokens);
        CHECK(page.metrics.process_start_time == row.start_time);
    }
}

TEST_CASE("metrics page: what is there counts, whatever is missing") {
    struct Row {
        const char* name;
        const char* engine;
        const char* page;
        std::string expected;
    };
    const Row rows[] = {
        {"only the queue", "vllm", "vllm:num_requests_waiting 5\n", "waiting=5"},
        {"nothing known", "vllm", "foo 1\nsglang:num_queue_reqs 2\n", ""},
        {"load", "vllm", "vllm:num_requests_waiting 5\nvllm:num_requests_running 1\n", "waiting=5 running=1"},
        {"blocks of vllm",
         "vllm",
         "vllm:cache_config_info{block_size=\"16\",num_gpu_blocks=\"1024\"} 1\n",
         "blocks=1024x16"},
        {"blocks of sglang",
         "sglang",
         "sglang:cache_config_info{page_size=\"64\",num_pages=\"11147\"} 1\n",
         "blocks=11147x64"},
        {"unknown engine", "no-such-engine", "vllm:num_requests_waiting 5\n", "waiting=5"},
        {"old name of the usage", "vllm", "vllm:gpu_cache_usage_perc 0.9\n", "kv=0.9"},
        {"both names: the current one",
         "vllm",
         "vllm:gpu_cache_usage_perc 0.9\nvllm:kv_cache_usage_perc 0.1\n",
         "kv=0.1"},
        {"current name unusable: the old one",
         "vllm",
         "vllm:gpu_cache_usage_perc 0.9\nvllm:kv_cache_usage_perc NaN\n",
         "kv=0.9"},
        {"time stamps, line ends of another system",
         "vllm",
         "vllm:num_requests_waiting 5 1395066363000\r\nvllm:num_requests_running 2 1395066363000\r\n",
         "waiting=5 running=2"},
        {"None", "vllm", "vllm:cache_config_info{block_size=\"None\",num_gpu_blocks=\"None\"} 1\n", ""},
        {"no blocks", "vllm", "vllm:cache_config_info{block_size=\"0\",num_gpu_blocks=\"-4\"} 1\n", ""},
        {"half a token",
         "vllm",
         "vllm:cache_config_info{block_size=\"16.5\",num_gpu_blocks=\"8.0\"} 1\n",
         "blocks=8x?"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const MetricsPage page = read_metrics_page(row.engine, row.page);
        CHECK(summary(page.metrics) == row.expected);
        CHECK(page.has_load() == (!row.expected.empty() && !row.expected.starts_with("blocks")));
    }
}

TEST_CASE("metrics page: values that are no amount are absent, and usage ends at one") {
    struct Row {
        const char* value = "";
        Number waiting;
        Number kv_usage;
    };
    const Row rows[] = {
        {"0", 0, 0},
        {"0.5", 0.5, 0.5},
        {"1", 1, 1},
        {"1.7", 1.7, 1},
        {"45.0", 45, 1},
        {"1e18", 1e18, 1},
        {"NaN", kNone, kNone},
        {"+Inf", kNone, kNone},
        {"-Inf", kNone, kNone},
        {"-0.5", kNone, kNone},
        {"-3", kNone, kNone},
        {"abc", kNone, kNone},
    };
    for (const Row& row : rows) {
        CAPTURE(row.value);
        const MetricsPage page = read_metrics_page(
            "vllm", fmt::format("vllm:num_requests_waiting {0}\nvllm:kv_cache_usage_perc {0}\n", row.value)
        );
        CHECK(page.metrics.waiting == row.waiting);
        CHECK(page.metrics.kv_usage == row.kv_usage);
    }
}

TEST_CASE("metrics page: several engines behind one endpoint are combined, in whatever order") {
    const char* const pages[] = {
        "vllm:num_requests_waiting{engine=\"0\"} 0\nvllm:num_requests_waiting{engine=\"1\"} 9\n"
        "vllm:kv_cache_usage_perc{engine=\"0\"} 0.25\nvllm:kv_cache_usage_perc{engine=\"1\"} 0.75\n"
        "vllm:cache_config_info{num_gpu_blocks=\"90\"} 1\nvllm:cache_config_info{num_gpu_blocks=\"100\"} 1\n"
        "vllm:prompt_tokens_total{model_name=\"a\"} 10\nvllm:prompt_tokens_total{model_name=\"b\"} 20\n",
        "vllm:prompt_tokens_total{model_name=\"b\"} 20\nvllm:prompt_tokens_total{model_name=\"a\"} 10\n"
        "vllm:cache_config_info{num_gpu_blocks=\"100\"} 1\nvllm:cache_config_info{num_gpu_blocks=\"90\"} 1\n"
        "vllm:kv_cache_usage_perc{engine=\"1\"} 0.75\nvllm:kv_cache_usage_perc{engine=\"0\"} 0.25\n"
        "vllm:num_requests_waiting{engine=\"1\"} 9\nvllm:num_requests_waiting{engine=\"0\"} 0\n",
    };
    for (const char* text : pages) {
        const MetricsPage page = read_metrics_page("vllm", text);
        CHECK(page.metrics.waiting == 9);
        CHECK(page.metrics.kv_usage == 0.5);
        CHECK(page.metrics.block_count == 90);
        CHECK(page.metrics.prompt_tokens_total == 30);
    }
}

TEST_CASE("metrics page: one unusable series does not spoil the others") {
    const MetricsPage page = read_metrics_page(
        "vllm", "vllm:kv_cache_usage_perc{engine=\"0\"} NaN\nvllm:kv_cache_usage_perc{engine=\"1\"} 0.75\n"
    );
    CHECK(page.metrics.kv_usage == 0.75);
}

TEST_CASE("metrics page: of the adapter lists the newest counts") {
    const std::string old_line =
        R"(vllm:lora_requests_info{max_lora="1",running_lora_adapters="",waiting_lora_adapters="x"} 1.70e+09)";
    const std::string middle_line =
        R"(vllm:lora_requests_info{max_lora="2",running_lora_adapters="a",waiting_lora_adapters=""} 1.73955757e+09)";
    const std::string new_line =
        R"(vllm:lora_requests_info{waiting_lora_adapters="c",running_lora_adapters="a,b , ,",max_lora="4"} 1.739557572e+09)";
    const std::string pages[] = {
        old_line + "\n" + middle_line + "\n" + new_line + "\n",
        new_line + "\n" + old_line + "\n" + middle_line + "\n",
    };
    for (const std::string& text : pages) {
        const EndpointMetrics metrics = read_metrics_page("vllm", text).metrics;
        CHECK(metrics.running_adapters == std::vector<std::string>{"a", "b"});
        CHECK(metrics.waiting_adapters == std::vector<std::string>{"c"});
        CHECK(metrics.max_adapters == 4);
    }
    const EndpointMetrics none = read_metrics_page("vllm", "vllm:num_requests_waiting 1\n").metrics;
    CHECK(none.running_adapters.empty());
    CHECK_FALSE(none.max_adapters);
}

TEST_CASE("metrics page: what is no page of metrics says nothing") {
    struct Row {
        const char* name;
        std::string page;
    };
    const Row rows[] = {
        {"empty", ""},
        {"gzip", std::string("\x1f\x8b\x08\x00\x00\xff", 6)},
        {"JSON of trtllm-serve's other path", R"([{"iter":1,"kvCacheStats":{"maxNumBlocks":1}}])"},
        {"HTML", "<!doctype html><title>Sign in</title>"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK_FALSE(read_metrics_page("vllm", row.page).has_load());
    }
}

TEST_CASE("metrics page: malformed lines of the engine's families are counted") {
    const MetricsPage page = read_metrics_page(
        "vllm", "vllm:num_requests_waiting five\nother five\nvllm:num_requests_running 2\n"
    );
    CHECK(page.malformed_lines == 1);
    CHECK_FALSE(page.metrics.waiting);
    CHECK(page.metrics.running == 2);
}

}  // namespace warmlane::datalayer
