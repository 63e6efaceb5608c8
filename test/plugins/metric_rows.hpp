#pragma once

#include "plugins/make_plugin.hpp"

#include <deque>
#include <initializer_list>
#include <optional>

namespace warmlane::test {

/// Candidates whose metrics are given one by one.
class MetricRows {
public:
    /// One candidate without fresh metrics.
    routing::Candidate& add_unknown() {
        const auto slot = static_cast<std::uint32_t>(endpoints_.size());
        routing::Candidate& candidate = candidates.emplace_back();
        candidate.endpoint = &endpoints_.emplace_back(EndpointSpec(), slot);
        return candidate;
    }
    /// One candidate with a page, the given field of which is set.
    routing::Candidate& add(std::optional<double> EndpointMetrics::* field, std::optional<double> value) {
        EndpointMetrics& page = pages_.emplace_back();
        page.*field = value;
        routing::Candidate& candidate = add_unknown();
        candidate.metrics = &page;
        return candidate;
    }

    std::vector<routing::Candidate> candidates;

private:
    std::deque<EndpointMetrics> pages_;
    std::deque<Endpoint> endpoints_;
};

}  // namespace warmlane::test
