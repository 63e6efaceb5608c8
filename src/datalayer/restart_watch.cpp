#include "restart_watch.hpp"

namespace warmlane::datalayer {

bool RestartWatch::restarted(const EndpointMetrics& metrics) {
    const bool moved =
        start_time_ && metrics.process_start_time && *start_time_ != *metrics.process_start_time;
    const bool fell =
        prompt_tokens_ && metrics.prompt_tokens_total && *metrics.prompt_tokens_total < *prompt_tokens_;
    if (metrics.process_start_time) {
        start_time_ = metrics.process_start_time;
    }
    if (metrics.prompt_tokens_total) {
        prompt_tokens_ = metrics.prompt_tokens_total;
    }
    return moved || fell;
}

bool RestartWatch::restarted_while_unreachable(const std::optional<EndpointMetrics>& metrics) {
    const bool comparable = start_time_ && metrics && metrics->process_start_time;
    const bool differs = metrics && restarted(*metrics);
    return differs || !comparable;
}

}  // namespace warmlane::datalayer
