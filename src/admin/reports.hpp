#pragma once

#include "warmlane/core/endpoint.hpp"
#include "warmlane/observability/metrics.hpp"
#include "warmlane/routing/decision.hpp"
#include "warmlane/routing/scheduler.hpp"

#include <boost/json/object.hpp>

namespace warmlane::admin {

/// The page `/endpoints`. `now` decides the age of metrics.
boost::json::object endpoints_report(
    const PoolSnapshot& pool, const routing::Scheduler& scheduler, TimePoint now
);

/// The page `/explain`. `decision` comes from `Scheduler::explain`.
boost::json::object decision_report(const routing::Decision& decision, std::string_view model);

/// What the metrics page shows of one endpoint.
observability::EndpointGauges gauges_of(
    const EndpointStatus& status, const routing::Scheduler& scheduler, TimePoint now
);

}  // namespace warmlane::admin
