#include "datalayer/engine_metric_names.hpp"

#include "datalayer/prometheus_text.hpp"

#include "warmlane/datalayer/engines.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace warmlane::datalayer {

TEST_CASE("engine names: each engine has its own row, and an unknown one is read like vllm") {
    for (const std::string_view engine : engines()) {
        CHECK(engine_metric_names(engine).engine == engine);
    }
    CHECK(engines().front() == "vllm");
    CHECK(engine_metric_names("").engine == "vllm");
    CHECK(engine_metric_names("VLLM").engine == "vllm");
    CHECK(engine_metric_names("trtllm-serve").path == "/prometheus/metrics");
    CHECK(engine_metric_names("sglang").path == "/metrics");
}

TEST_CASE("engine names: every row tells the queue, and has no more families than can be looked for") {
    for (const EngineMetricNames& row : all_engine_metric_names()) {
        CAPTURE(row.engine);
        std::set<std::string_view> families;
        for (const MetricName& name : row.names) {
            CHECK_FALSE(name.family.empty());
            CHECK(name.only_label.empty() == name.only_value.empty());
            families.insert(name.family);
        }
        CHECK(families.size() <= FamilyNames::kNamesMax);
        CHECK(std::ranges::count(row.names, Signal::waiting, &MetricName::signal) == 1);
    }
}

}  // namespace warmlane::datalayer
