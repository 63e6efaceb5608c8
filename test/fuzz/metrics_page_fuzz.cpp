// Whatever a metrics page holds, each engine's reading of it has only usable values, does not depend on the
// kind of line end, and is the same when the page comes twice, apart from sums.

#include "datalayer/engine_metric_names.hpp"
#include "datalayer/metrics_page.hpp"
#include "fuzz/fuzz_input.hpp"

#include <cmath>
#include <optional>
#include <string>

namespace {

using namespace warmlane::datalayer;
using warmlane::EndpointMetrics;
using warmlane::fuzz::FuzzInput;
using warmlane::fuzz::require;

bool is_amount(const std::optional<double>& value) {
    // A sum of amounts may be too large for a double.
    return !value || (!std::isnan(*value) && *value >= 0);
}

void require_usable(const EndpointMetrics& metrics) {
    require(is_amount(metrics.waiting) && is_amount(metrics.running));
    require(is_amount(metrics.prompt_tokens_total) && is_amount(metrics.process_start_time));
    require(!metrics.kv_usage || (*metrics.kv_usage >= 0 && *metrics.kv_usage <= 1));
    require(!metrics.block_tokens || *metrics.block_tokens > 0);
    require(!metrics.block_count || *metrics.block_count > 0);
}

void require_equal(const EndpointMetrics& a, const EndpointMetrics& b) {
    require(a.block_tokens == b.block_tokens && a.block_count == b.block_count);
    require(a.process_start_time == b.process_start_time);
    require(a.running_adapters == b.running_adapters && a.waiting_adapters == b.waiting_adapters);
    require(a.max_adapters == b.max_adapters);
}

std::string with_other_line_ends(std::string_view page) {
    std::string out;
    for (const char c : page) {
        out += c == '\n' ? "\r\n" : std::string(1, c);
    }
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string page(FuzzInput{data, size}.bytes());
    for (const EngineMetricNames& engine : all_engine_metric_names()) {
        const MetricsPage once = read_metrics_page(engine.engine, page);
        require_usable(once.metrics);

        const MetricsPage other = read_metrics_page(engine.engine, with_other_line_ends(page));
        require(other.malformed_lines == once.malformed_lines);
        require(other.metrics.waiting == once.metrics.waiting);
        require(other.metrics.kv_usage == once.metrics.kv_usage);
        require_equal(other.metrics, once.metrics);

        const MetricsPage twice = read_metrics_page(engine.engine, page + "\n" + page);
        require_usable(twice.metrics);
        require(twice.malformed_lines == 2 * once.malformed_lines);
        require(twice.has_load() == once.has_load());
        require_equal(twice.metrics, once.metrics);
    }
    return 0;
}
