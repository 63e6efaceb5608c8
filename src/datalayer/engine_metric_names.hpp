#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warmlane::datalayer {

/// What a row of an engine's table tells of.
enum class Signal : std::uint8_t {
    waiting,
    running,
    kv_usage,
    block_tokens,
    block_count,
    /// An info family: the value is the time at which its labels became true.
    adapters,
    process_start_time,
    prompt_tokens_total,
};

/// Where one signal stands on a page.
struct MetricName {
    Signal signal;
    std::string_view family;
    /// Only series that have this label with this value count; all when the label's name is empty.
    std::string_view only_label = {};
    std::string_view only_value = {};
    /// The label whose value is the number; the sample's own value when empty.
    std::string_view number_label = {};
};

/// One engine's row: what it calls things. Of several rows of one signal the first one that the page has
/// counts, so current names stand before older ones.
struct EngineMetricNames {
    std::string_view engine;
    /// Usual path of the metrics page.
    std::string_view path;
    std::span<const MetricName> names;
};

/// The row of an engine; that of `vllm` for a name that is not in the table.
const EngineMetricNames& engine_metric_names(std::string_view engine);

/// Every row.
std::span<const EngineMetricNames> all_engine_metric_names();

}  // namespace warmlane::datalayer
