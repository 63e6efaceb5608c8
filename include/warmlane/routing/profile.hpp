#pragma once

#include "warmlane/routing/decision.hpp"
#include "warmlane/routing/plugin.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace warmlane::routing {

/// Room for one decision at a time, kept between decisions so that they need not allocate.
struct Workspace {
    std::vector<Candidate> candidates;
    /// Of one scorer, by position in `candidates`.
    std::vector<double> scores;
    /// What is left, the winner first.
    std::vector<ScoredCandidate> ranked;
};

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

    /// Narrows `work.candidates` and ranks what is left into `work.ranked`: the winner first, then the
    /// fallbacks; empty when no candidate was left. total = sum over scorers of clamp(score, 0, 1) * weight,
    /// never normalised; NaN counts as 0. `reports`, when given, has one entry per candidate, named by its
    /// endpoint, and gets every verdict and score.
    void run(
        const InferenceRequest& request,
        Workspace& work,
        RandomEngine& random,
        std::vector<CandidateReport>* reports = nullptr
    ) const;

private:
    std::string name_;
};

}  // namespace warmlane::routing
