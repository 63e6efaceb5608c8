#include "metrics_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace warmlane::sim {
namespace {

constexpr std::array kFirstTokenBounds = {0.001, 0.005, 0.01, 0.02,  0.04,  0.06,  0.08, 0.1,
                                          0.25,  0.5,   0.75, 1.0,   2.5,   5.0,   7.5,  10.0,
                                          20.0,  40.0,  80.0, 160.0, 640.0, 2560.0};
constexpr std::array kTokenGapBounds = {
    0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0, 20.0, 40.0, 80.0
};
constexpr std::array kLatencyBounds = {0.3,  0.5,   0.8,   1.0,   1.5,   2.0,    2.5,
                                       5.0,  10.0,  15.0,  20.0,  30.0,  40.0,   50.0,
                                       60.0, 120.0, 240.0, 480.0, 960.0, 1920.0, 7680.0};
constexpr std::array kTokenBounds = {
    1.0,
    2.0,
    5.0,
    10.0,
    20.0,
    50.0,
    100.0,
    200.0,
    500.0,
    1000.0,
    2000.0,
    5000.0,
    10000.0,
    20000.0,
    50000.0,
    100000.0
};

double seconds(Duration time) {
    return std::chrono::duration<double>(time).count();
}

/// As Python writes a float.
std::string number(double value) {
    std::string text = fmt::format("{}", value);
    if (text.find_first_of(".en") == std::string::npos) {
        text += ".0";
    }
    return text;
}

std::string label_value(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n') {
            out += "\\n";
            continue;
        }
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out;
}

/// Appends families to a page; every series of it carries the same labels.
class PageWriter {
public:
    explicit PageWriter(std::string_view model)
        : labels_(fmt::format(R"(engine="0",model_name="{}")", label_value(model))) {}

    void gauge(std::string_view name, std::string_view help, double value) {
        describe(name, help, "gauge");
        sample(name, labels_, value);
    }
    void counter(std::string_view name, std::string_view help, std::uint64_t value) {
        describe(name, help, "counter");
        sample(name, labels_, static_cast<double>(value));
    }
    void describe(std::string_view name, std::string_view help, std::string_view type) {
        fmt::format_to(std::back_inserter(page_), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
    }
    void sample(std::string_view name, std::string_view labels, double value) {
        fmt::format_to(std::back_inserter(page_), "{}{{{}}} {}\n", name, labels, number(value));
    }
    void histogram(std::string_view name, std::string_view help, const Histogram& histogram) {
        describe(name, help, "histogram");
        const auto bucket = [&](std::string_view bound, std::size_t i) {
            fmt::format_to(
                std::back_inserter(page_),
                "{}_bucket{{le=\"{}\",{}}} {}\n",
                name,
                bound,
                labels_,
                number(static_cast<double>(histogram.count_up_to(i)))
            );
        };
        for (std::size_t i = 0; i < histogram.bounds().size(); ++i) {
            bucket(number(histogram.bounds()[i]), i);
        }
        bucket("+Inf", histogram.bounds().size());
        sample(fmt::format("{}_count", name), labels_, static_cast<double>(histogram.count()));
        sample(fmt::format("{}_sum", name), labels_, histogram.sum());
    }

    const std::string& labels() const { return labels_; }
    std::string take() { return std::move(page_); }

private:
    const std::string labels_;
    std::string page_;
};

void write_state(PageWriter& page, const MetricsPageInput& input) {
    const EngineStats& stats = input.stats;
    page.gauge("vllm:num_requests_running", "Number of requests in model execution batches.", stats.running);
    page.gauge("vllm:num_requests_waiting", "Number of requests waiting to be processed.", stats.waiting);
    page.gauge("vllm:kv_cache_usage_perc", "KV-cache usage. 1 means 100 percent usage.", stats.kv_usage);
    page.describe("vllm:cache_config_info", "Information of the LLMEngine CacheConfig", "gauge");
    page.sample(
        "vllm:cache_config_info",
        fmt::format(
            R"(block_size="{}",cache_dtype="auto",enable_prefix_caching="{}",engine="0",num_gpu_blocks="{}")",
            input.engine.block_tokens,
            input.engine.prefix_caching ? "True" : "False",
            input.engine.block_count
        ),
        1
    );
}

void write_counters(PageWriter& page, const MetricsPageInput& input) {
    const EngineStats& stats = input.stats;
    page.counter(
        "vllm:prefix_cache_queries_total", "Prefix cache queries, in tokens.", stats.prefix_query_tokens
    );
    page.counter("vllm:prefix_cache_hits_total", "Prefix cache hits, in tokens.", stats.prefix_hit_tokens);
    page.counter("vllm:num_preemptions_total", "Number of preemptions from the engine.", stats.preemptions);
    page.counter("vllm:prompt_tokens_total", "Number of prefill tokens processed.", stats.prompt_tokens);
    page.counter(
        "vllm:generation_tokens_total", "Number of generation tokens processed.", stats.generation_tokens
    );
    page.describe("vllm:request_success_total", "Count of successfully processed requests.", "counter");
    const auto& finished = input.histograms.finished;
    const auto of = [&finished](StopReason reason) {
        return static_cast<double>(finished[static_cast<std::size_t>(reason)]);
    };
    const auto success = [&page](std::string_view reason, double value) {
        page.sample(
            "vllm:request_success_total",
            fmt::format(R"({},finished_reason="{}")", page.labels(), reason),
            value
        );
    };
    success("stop", of(StopReason::stop) + of(StopReason::tool_calls));
    success("length", of(StopReason::length));
    success("abort", static_cast<double>(stats.aborted));
    page.counter(
        "sim_aborted_requests_total", "Requests dropped because the client had gone.", stats.aborted
    );
    page.counter("sim_refused_requests_total", "Requests refused because the queue was full.", stats.refused);
    page.counter("sim_evicted_blocks_total", "Cached blocks that had to make room.", stats.evicted_blocks);
    page.counter("sim_steps_total", "Steps that the engine has run.", stats.steps);
}

}  // namespace

void Histogram::observe(double value) {
    const auto bound = std::ranges::lower_bound(bounds_, value);
    ++counts_[static_cast<std::size_t>(bound - bounds_.begin())];
    sum_ += value;
}

std::uint64_t Histogram::count_up_to(std::size_t i) const {
    std::uint64_t count = 0;
    for (std::size_t bucket = 0; bucket <= i; ++bucket) {
        count += counts_[bucket];
    }
    return count;
}

RequestHistograms::RequestHistograms()
    : time_to_first_token(kFirstTokenBounds),
      inter_token_latency(kTokenGapBounds),
      end_to_end_latency(kLatencyBounds),
      queue_time(kLatencyBounds),
      prompt_tokens(kTokenBounds),
      generation_tokens(kTokenBounds) {}

void RequestHistograms::observe(const EngineEvent& event, StopReason reason) {
    if (event.output_tokens == 1) {
        time_to_first_token.observe(seconds(event.since_arrival));
        queue_time.observe(seconds(event.queued));
    } else {
        inter_token_latency.observe(seconds(event.since_last_token));
    }
    if (event.finished) {
        end_to_end_latency.observe(seconds(event.since_arrival));
        prompt_tokens.observe(event.prompt_tokens);
        generation_tokens.observe(event.output_tokens);
        ++finished[static_cast<std::size_t>(reason)];
    }
}

std::string metrics_page(const MetricsPageInput& input) {
    PageWriter page(input.model);
    const RequestHistograms& histograms = input.histograms;
    write_state(page, input);
    write_counters(page, input);
    page.histogram(
        "vllm:time_to_first_token_seconds",
        "Histogram of time to first token in seconds.",
        histograms.time_to_first_token
    );
    page.histogram(
        "vllm:inter_token_latency_seconds",
        "Histogram of inter-token latency in seconds.",
        histograms.inter_token_latency
    );
    page.histogram(
        "vllm:e2e_request_latency_seconds",
        "Histogram of end to end request latency in seconds.",
        histograms.end_to_end_latency
    );
    page.histogram(
        "vllm:request_queue_time_seconds",
        "Histogram of time spent in WAITING phase for request.",
        histograms.queue_time
    );
    page.histogram(
        "vllm:request_prompt_tokens", "Number of prefill tokens processed.", histograms.prompt_tokens
    );
    page.histogram(
        "vllm:request_generation_tokens",
        "Number of generation tokens processed.",
        histograms.generation_tokens
    );
    std::string text = page.take();
    fmt::format_to(
        std::back_inserter(text),
        "# HELP process_start_time_seconds Start time of the process since unix epoch in seconds.\n"
        "# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds {}\n",
        number(input.process_start_time)
    );
    return text;
}

}  // namespace warmlane::sim
