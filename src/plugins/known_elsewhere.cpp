#include "plugins/known_elsewhere.hpp"

namespace warmlane::plugins {
namespace {

using routing::PluginType;

// Sentences that several types share.
constexpr std::string_view kMetricsBuiltIn = "endpoints are scraped without it; remove the entry.";
constexpr std::string_view kParsingBuiltIn =
    "requests of every known API are parsed without it; remove the entry.";
constexpr std::string_view kHashingBuiltIn =
    "prompts are cut into blocks by approx-prefix-cache-producer itself; remove the entry.";
constexpr std::string_view kInFlightBuiltIn =
    "requests and tokens in flight are counted without it; remove the entry.";
constexpr std::string_view kNoFlowControl = "there is no flow control; requests are decided as they arrive.";
constexpr std::string_view kNoDisaggregation = "prefill, decode and encode are not split over endpoints.";
constexpr std::string_view kNoSessionAffinity =
    "sessions are not pinned; prefix-cache-scorer follows a conversation by its prompt.";
constexpr std::string_view kNoLabelFilter =
    "endpoints are not chosen by label; list the endpoints that shall serve.";
constexpr std::string_view kNoPrediction =
    "latencies are not predicted; use queue-scorer and prefix-cache-scorer.";
constexpr std::string_view kNoTopology = "endpoints have no known place in a topology.";
constexpr std::string_view kNoAttributes = "endpoints have no free attributes.";
constexpr std::string_view kNoMultimodalIndex =
    "media are part of the prompt that prefix-cache-scorer matches; use that.";
constexpr std::string_view kNoMulticluster =
    "peer clusters are not endpoints; use the type without the prefix.";
constexpr std::string_view kNoExactIndex =
    "KV cache events of engines are not read; use approx-prefix-cache-producer with prefix-cache-scorer.";
constexpr std::string_view kNoUtilizationLimit = "candidates have no limit of utilization; use queue-scorer.";
constexpr std::string_view kKubernetesOnly =
    "there is no Kubernetes here; list the endpoints in the configuration.";

constexpr PluginType kTypes[] = {
    {"agent-identity", nullptr, "agents are not told apart."},
    {"always-disagg-multimodal-decider", nullptr, kNoDisaggregation},
    {"always-disagg-pd-decider", nullptr, kNoDisaggregation},
    {"anthropic-parser", nullptr, kParsingBuiltIn},
    {"burst-prefix-cache-producer",
     nullptr,
     "decisions see each other, so a burst finds its prefix without waiting; use "
     "approx-prefix-cache-producer."},
    {"by-label", nullptr, kNoLabelFilter},
    {"by-label-selector", nullptr, kNoLabelFilter},
    {"concurrency-detector", nullptr, kNoFlowControl},
    {"context-length-aware", nullptr, kNoLabelFilter},
    {"core-metrics-extractor", nullptr, kMetricsBuiltIn},
    {"data-parallel-profile-handler",
     nullptr,
     "ranks of one engine are not told apart; list each rank as an endpoint."},
    {"dcgm-data-source", nullptr, "GPU metrics are not read."},
    {"dcgm-extractor", nullptr, "GPU metrics are not read."},
    {"decode-filter", nullptr, kNoDisaggregation},
    {"disagg-headers-handler", nullptr, kNoDisaggregation},
    {"disagg-profile-handler", nullptr, kNoDisaggregation},
    {"disaggregatedset-rollout-screener", nullptr, kKubernetesOnly},
    {"edf-ordering-policy", nullptr, kNoFlowControl},
    {"encode-filter", nullptr, kNoDisaggregation},
    {"endpoint-attribute-filter", nullptr, kNoAttributes},
    {"endpoint-attribute-scorer", nullptr, kNoAttributes},
    {"endpoint-notification-source", nullptr, kKubernetesOnly},
    {"fcfs-ordering-policy", nullptr, kNoFlowControl},
    {"file-discovery", nullptr, "endpoints are listed in the section endpoints of the configuration."},
    {"global-strict-fairness-policy", nullptr, kNoFlowControl},
    {"header-based-testing-filter", nullptr, "clients do not choose their endpoint."},
    {"header-label-affinity-scorer", nullptr, kNoLabelFilter},
    {"header-profile-handler", nullptr, "clients do not choose their profile; use single-profile-handler."},
    {"inflight-load-producer", nullptr, kInFlightBuiltIn},
    {"k8s-notification-source", nullptr, kKubernetesOnly},
    {"label-selector-filter", nullptr, kNoLabelFilter},
    {"latency-observation-scorer", nullptr, kNoPrediction},
    {"latency-observer-producer", nullptr, kNoPrediction},
    {"latency-scorer", nullptr, kNoPrediction},
    {"latency-slo-admitter", nullptr, kNoPrediction},
    {"load-aware-scorer", nullptr, "queues are scored by queue-scorer; use that."},
    {"lora-affinity-scorer",
     nullptr,
     "adapters are kept apart by prefix-cache-scorer, which hashes the model's name; use that."},
    {"metrics-data-source", nullptr, kMetricsBuiltIn},
    {"mm-embeddings-cache-producer", nullptr, kNoMultimodalIndex},
    {"mm-embeddings-cache-scorer", nullptr, kNoMultimodalIndex},
    {"models-data-source", nullptr, "the models of the endpoints are read without it; remove the entry."},
    {"multicluster-approx-prefix-cache-producer", nullptr, kNoMulticluster},
    {"multicluster-file-discovery", nullptr, kNoMulticluster},
    {"multicluster-kv-cache-utilization-scorer", nullptr, kNoMulticluster},
    {"multicluster-metrics-data-source", nullptr, kNoMulticluster},
    {"multicluster-metrics-extractor", nullptr, kNoMulticluster},
    {"multicluster-prefix-cache-scorer", nullptr, kNoMulticluster},
    {"multicluster-queue-scorer", nullptr, kNoMulticluster},
    {"multicluster-session-affinity-filter", nullptr, kNoMulticluster},
    {"no-hit-lru-scorer",
     nullptr,
     "ties of prompts that nobody holds are broken at random; use active-request-scorer to spread them."},
    {"openai-parser", nullptr, kParsingBuiltIn},
    {"p2p-source-producer", nullptr, "KV caches are not moved between endpoints."},
    {"passthrough-parser", nullptr, kParsingBuiltIn},
    {"pd-profile-handler", nullptr, kNoDisaggregation},
    {"precise-prefix-cache-producer", nullptr, kNoExactIndex},
    {"precise-prefix-cache-scorer", nullptr, kNoExactIndex},
    {"predicted-latency-producer", nullptr, kNoPrediction},
    {"prefill-filter", nullptr, kNoDisaggregation},
    {"prefill-header-handler", nullptr, kNoDisaggregation},
    {"prefix-based-pd-decider", nullptr, kNoDisaggregation},
    {"prefix-cache-affinity-filter",
     nullptr,
     "a long match attracts by its score alone; use prefix-cache-scorer."},
    {"priority-holdback-policy", nullptr, kNoFlowControl},
    {"priority-then-time-eviction-order-policy", nullptr, kNoFlowControl},
    {"probabilistic-admitter", nullptr, kNoFlowControl},
    {"program-aware-fairness", nullptr, kNoFlowControl},
    {"request-attribute-reporter", nullptr, kNoAttributes},
    {"round-robin-fairness-policy", nullptr, kNoFlowControl},
    {"session-affinity-filter", nullptr, kNoSessionAffinity},
    {"session-affinity-scorer", nullptr, kNoSessionAffinity},
    {"session-id-producer", nullptr, kNoSessionAffinity},
    {"sglanghttp-parser", nullptr, kParsingBuiltIn},
    {"sheddable-eviction-filter", nullptr, kNoFlowControl},
    {"slo-deadline-ordering-policy", nullptr, kNoFlowControl},
    {"slo-headroom-tier-filter", nullptr, kNoPrediction},
    {"soft-reflective-ceiling-policy", nullptr, kNoFlowControl},
    {"static-usage-limit-policy", nullptr, kNoFlowControl},
    {"token-load-scorer", nullptr, "load is scored in requests; use active-request-scorer."},
    {"token-producer", nullptr, kHashingBuiltIn},
    {"tokenizer", nullptr, kHashingBuiltIn},
    {"topology-affinity-filter", nullptr, kNoTopology},
    {"topology-affinity-scorer", nullptr, kNoTopology},
    {"topology-extractor", nullptr, kNoTopology},
    {"utilization-detector", nullptr, kNoFlowControl},
    {"utilization-filter", nullptr, kNoUtilizationLimit},
    {"vertexai-parser", nullptr, kParsingBuiltIn},
    {"vllmgrpc-parser", nullptr, "endpoints are spoken to over HTTP, not gRPC."},
    {"vllmhttp-parser", nullptr, kParsingBuiltIn},
};

}  // namespace

std::span<const PluginType> known_elsewhere() {
    return kTypes;
}

}  // namespace warmlane::plugins
