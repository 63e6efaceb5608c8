#include "request_record.hpp"

#include "warmlane/core/inference_request.hpp"
#include "warmlane/observability/log.hpp"

#include <algorithm>
#include <chrono>

namespace warmlane::proxy {
namespace {

void report_tokens(const RequestRecord& record, observability::Metrics& metrics) {
    const auto predicted = record.predicted_cached_tokens();
    if (!predicted || !record.endpoint) {
        return;
    }
    const std::uint64_t cached = record.usage.cached_tokens.value_or(0);
    if (record.usage.cached_tokens) {
        record.endpoint->predicted_cached_tokens += *predicted;
        record.endpoint->cached_tokens += cached;
    }
    metrics.observe_tokens(
        record.endpoint->name(),
        {.prompt = *record.usage.prompt_tokens,
         .completion = record.usage.completion_tokens.value_or(0),
         .cached = cached,
         .predicted_cached = record.usage.cached_tokens ? *predicted : 0}
    );
}

observability::RequestSample sample_of(
    const RequestRecord& record, const http::Exchange& exchange, Duration total
) {
    observability::RequestSample sample;
    sample.model = record.model;
    sample.code = exchange.response_status();
    sample.duration = total;
    sample.overhead = record.overhead;
    sample.time_to_first_byte = record.first_byte;
    sample.decision = record.decision;
    if (record.prefix_match.total_blocks > 0) {
        sample.prefix_match_ratio =
            static_cast<double>(record.prefix_match.match_blocks) / record.prefix_match.total_blocks;
    }
    sample.retries = record.attempts > 0 ? record.attempts - 1 : 0;
    return sample;
}

}  // namespace

std::optional<std::uint64_t> RequestRecord::predicted_cached_tokens() const {
    if (!usage.prompt_tokens) {
        return std::nullopt;
    }
    if (prefix_match.match_blocks == 0 || prompt_bytes == 0) {
        return 0;
    }
    const double block_bytes = prefix_match.block_tokens * InferenceRequest::kBytesPerToken;
    const bool whole = prefix_match.match_blocks == prefix_match.total_blocks;
    const double expected = (prefix_match.match_blocks + (whole ? 0.0 : 0.5)) * block_bytes;
    const double share = std::min(1.0, expected / static_cast<double>(prompt_bytes));
    return static_cast<std::uint64_t>(share * static_cast<double>(*usage.prompt_tokens));
}

void finish_record(
    const RequestRecord& record,
    const ProxyError& error,
    const http::Exchange& exchange,
    observability::Metrics& metrics
) {
    const Duration total = std::chrono::steady_clock::now() - exchange.received_at();
    report_tokens(record, metrics);
    metrics.observe_request(sample_of(record, exchange, total));
    observability::AccessRecord line;
    line.request_id = record.id;
    line.client = exchange.client_address();
    line.method = exchange.head().method;
    line.path = exchange.head().path();
    line.model = record.model;
    line.endpoint = record.endpoint ? std::string_view(record.endpoint->name()) : std::string_view{};
    line.status = exchange.response_status();
    line.attempts = record.attempts;
    line.match_blocks = record.prefix_match.match_blocks;
    line.total_blocks = record.prefix_match.total_blocks;
    line.prompt_tokens = record.usage.prompt_tokens;
    line.completion_tokens = record.usage.completion_tokens;
    line.cached_tokens = record.usage.cached_tokens;
    line.bytes_in = record.body_bytes;
    line.bytes_out = exchange.bytes_sent();
    line.overhead = record.overhead;
    line.first_byte = record.first_byte;
    line.total = total;
    line.end = end_word(error);
    observability::log_access(line);
}

}  // namespace warmlane::proxy
