#pragma once

#include "warmlane/routing/decision.hpp"
#include "warmlane/routing/plugin.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace warmlane::routing {

/// Filters in order, scorers with weights in order, one picker. Owns none of them.
class SchedulingProfile {
public:
    struct WeightedScorer {
        std::string name;
        const Scorer* scorer = nullptr;
        double weight = 1;
    };
    struct NamedFilter {
        std::string name;
        Filter* filter = nullptr;
    };

    explicit SchedulingProfile(std::string name) : name_(std::move(name)) {}

    const std::string& name() const { return name_; }
    std::vector<NamedFilter> filters;
    std::vector<WeightedScorer> scorers;
    Picker* picker = nullptr;
    std::string picker_name;

    /// Narrows `candidates` and orders what is left: the winner first, then the fallbacks.
    /// total = sum over scorers of clamp(score, 0, 1) * weight, never normalised; NaN counts as 0.
    /// `reports`, when given, has one entry per candidate in the order of `candidates` at the call and gets
    /// every verdict and score. Empty result: no candidate was left.
    std::vector<ScoredCandidate> run(
        const InferenceRequest& request,
        std::vector<Candidate>& candidates,
        RandomEngine& random,
        std::vector<CandidateReport>* reports = nullptr
    ) const;

private:
    std::string name_;
};

}  // namespace warmlane::routing
