#include "engine_metric_names.hpp"

#include "warmlane/datalayer/engines.hpp"

#include <algorithm>

namespace warmlane::datalayer {
namespace {

constexpr std::string_view kStartTime = "process_start_time_seconds";

constexpr MetricName kVllm[] = {
    {Signal::waiting, "vllm:num_requests_waiting"},
    {Signal::running, "vllm:num_requests_running"},
    {Signal::kv_usage, "vllm:kv_cache_usage_perc"},
    {Signal::kv_usage, "vllm:gpu_cache_usage_perc"},
    {Signal::block_tokens, "vllm:cache_config_info", {}, {}, "block_size"},
    {Signal::block_count, "vllm:cache_config_info", {}, {}, "num_gpu_blocks"},
    {Signal::adapters, "vllm:lora_requests_info"},
    {Signal::prompt_tokens_total, "vllm:prompt_tokens_total"},
    {Signal::prompt_tokens_total, "vllm:prompt_tokens"},
    {Signal::process_start_time, kStartTime},
};

constexpr MetricName kSglang[] = {
    {Signal::waiting, "sglang:num_queue_reqs"},
    {Signal::running, "sglang:num_running_reqs"},
    {Signal::kv_usage, "sglang:token_usage"},
    {Signal::block_tokens, "sglang:cache_config_info", {}, {}, "page_size"},
    {Signal::block_count, "sglang:cache_config_info", {}, {}, "num_pages"},
    {Signal::prompt_tokens_total, "sglang:prompt_tokens_total"},
    {Signal::prompt_tokens_total, "sglang:prompt_tokens"},
    {Signal::process_start_time, kStartTime},
};

constexpr MetricName kTrtllmServe[] = {
    {Signal::waiting, "trtllm_num_requests_waiting"},
    {Signal::running, "trtllm_num_requests_running"},
    {Signal::kv_usage, "trtllm_kv_cache_utilization"},
    {Signal::block_tokens, "trtllm_kv_cache_tokens_per_block"},
    {Signal::block_count, "trtllm_kv_cache_max_blocks"},
    {Signal::process_start_time, kStartTime},
};

constexpr std::string_view kTritonRequests = "nv_trt_llm_request_metrics";
constexpr std::string_view kTritonBlocks = "nv_trt_llm_kv_cache_block_metrics";
constexpr std::string_view kBlockType = "kv_cache_block_type";
constexpr MetricName kTritonTensorrtLlm[] = {
    {Signal::waiting, kTritonRequests, "request_type", "waiting"},
    {Signal::running, kTritonRequests, "request_type", "scheduled"},
    {Signal::kv_usage, kTritonBlocks, kBlockType, "fraction"},
    {Signal::block_tokens, kTritonBlocks, kBlockType, "tokens_per"},
    {Signal::block_count, kTritonBlocks, kBlockType, "max"},
};

/// Its count of executions only ever grows, so it does not tell how many run.
constexpr MetricName kTriton[] = {{Signal::waiting, "nv_inference_pending_request_count"}};

constexpr MetricName kLlamacpp[] = {
    {Signal::waiting, "llamacpp:requests_deferred"},
    {Signal::running, "llamacpp:requests_processing"},
    {Signal::kv_usage, "llamacpp:kv_cache_usage_ratio"},
    {Signal::prompt_tokens_total, "llamacpp:prompt_tokens_total"},
};

constexpr MetricName kTgi[] = {
    {Signal::waiting, "tgi_queue_size"},
    {Signal::running, "tgi_batch_current_size"},
    {Signal::prompt_tokens_total, "tgi_request_input_length_sum"},
};

constexpr MetricName kLmdeploy[] = {
    {Signal::waiting, "lmdeploy:num_requests_waiting"},
    {Signal::running, "lmdeploy:num_requests_running"},
    {Signal::kv_usage, "lmdeploy:gpu_cache_usage_perc"},
    {Signal::prompt_tokens_total, "lmdeploy:prompt_tokens_total"},
    {Signal::process_start_time, kStartTime},
};

constexpr EngineMetricNames kEngines[] = {
    {"vllm", "/metrics", kVllm},
    {"sglang", "/metrics", kSglang},
    {"trtllm-serve", "/prometheus/metrics", kTrtllmServe},
    {"triton-tensorrt-llm", "/metrics", kTritonTensorrtLlm},
    {"triton", "/metrics", kTriton},
    {"llamacpp", "/metrics", kLlamacpp},
    {"tgi", "/metrics", kTgi},
    {"lmdeploy", "/metrics", kLmdeploy},
};

}  // namespace

const EngineMetricNames& engine_metric_names(std::string_view engine) {
    const auto* const found = std::ranges::find(kEngines, engine, &EngineMetricNames::engine);
    return found == std::end(kEngines) ? kEngines[0] : *found;
}

std::span<const EngineMetricNames> all_engine_metric_names() {
    return kEngines;
}

std::vector<std::string_view> engines() {
    std::vector<std::string_view> names;
    for (const EngineMetricNames& row : kEngines) {
        names.push_back(row.engine);
    }
    return names;
}

}  // namespace warmlane::datalayer
