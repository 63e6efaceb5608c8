#include "warmlane/routing/profile.hpp"

#include <algorithm>
#include <cmath>

namespace warmlane::routing {
namespace {

double bounded(double score) {
    return std::isnan(score) ? 0.0 : std::clamp(score, 0.0, 1.0);
}

/// The candidates of one run as the reports show them. Does nothing when nobody asked for reports.
class Reporter {
public:
    explicit Reporter(std::vector<CandidateReport>* reports) : reports_(reports) {}

    void note_filter(const std::string& plugin, const std::vector<Candidate>& survivors) {
        if (reports_ == nullptr) {
            return;
        }
        for (CandidateReport& report : *reports_) {
            if (report.kept) {
                report.kept = std::any_of(survivors.begin(), survivors.end(), [&](const Candidate& survivor) {
                    return survivor.endpoint->name() == report.endpoint;
                });
                report.filters.push_back({plugin, report.kept});
            }
        }
    }

    void note_score(
        const Candidate& candidate, const SchedulingProfile::WeightedScorer& scorer, double score
    ) {
        if (CandidateReport* report = find(candidate)) {
            report->scores.push_back({scorer.name, score, scorer.weight});
            report->total += score * scorer.weight;
        }
    }

private:
    CandidateReport* find(const Candidate& candidate) {
        if (reports_ == nullptr) {
            return nullptr;
        }
        const auto found =
            std::find_if(reports_->begin(), reports_->end(), [&](const CandidateReport& report) {
                return report.endpoint == candidate.endpoint->name();
            });
        return found == reports_->end() ? nullptr : &*found;
    }

    std::vector<CandidateReport>* reports_;
};

}  // namespace

void SchedulingProfile::run(
    const InferenceRequest& request,
    Workspace& work,
    RandomEngine& random,
    std::vector<CandidateReport>* reports
) const {
    Reporter reporter(reports);
    for (const NamedFilter& filter : filters) {
        filter.filter->filter(request, work.candidates);
        reporter.note_filter(filter.name, work.candidates);
        if (work.candidates.empty()) {
            break;
        }
    }

    const std::size_t count = work.candidates.size();
    work.ranked.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        work.ranked[i] = {i, 0.0};
    }
    if (count == 0) {
        return;
    }
    for (const WeightedScorer& scorer : scorers) {
        work.scores.assign(count, 0.0);
        scorer.scorer->score(request, work.candidates, work.scores);
        for (std::size_t i = 0; i < count; ++i) {
            const double score = bounded(work.scores[i]);
            work.ranked[i].total += score * scorer.weight;
            reporter.note_score(work.candidates[i], scorer, score);
        }
    }
    picker->pick(work.ranked, random);
}

}  // namespace warmlane::routing
