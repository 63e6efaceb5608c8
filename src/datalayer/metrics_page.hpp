#pragma once

#include "warmlane/core/endpoint_metrics.hpp"

#include <cstddef>
#include <string_view>

namespace warmlane::datalayer {

/// What a metrics page says.
struct MetricsPage {
    EndpointMetrics metrics;
    /// Lines of the engine's families that broke the format and were skipped.
    std::size_t malformed_lines = 0;

    /// Whether it says anything about the load; a page that does not is a failed scrape, whatever it is.
    bool has_load() const { return metrics.waiting || metrics.running || metrics.kv_usage; }
};

/// Reads an engine's metrics page. Where a family has several series, requests and tokens are summed, the KV
/// usage is averaged, of block sizes and counts the smallest is taken, of start times and adapter lists the
/// newest. A value that is not finite, or negative, is as good as absent; a KV usage above 1 is 1. Pure; any
/// thread.
MetricsPage read_metrics_page(std::string_view engine, std::string_view page);

}  // namespace warmlane::datalayer
