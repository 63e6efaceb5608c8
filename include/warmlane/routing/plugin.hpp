#pragma once

#include "warmlane/core/inference_request.hpp"
#include "warmlane/routing/candidate.hpp"

#include <cstddef>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace warmlane::routing {

/// What every plugin is: one instance of a type, with a name that is unique in the configuration.
/// Except where a method says otherwise, calls come one at a time, under the decision lock, and must not
/// block.
class Plugin {
public:
    virtual ~Plugin() = default;
};

/// Writes one score per candidate, in [0, 1], higher is better; the profile clamps and reads NaN as 0.
class Scorer : public virtual Plugin {
public:
    /// Name of the producer whose prefix matches it reads, empty for whichever is there; absent when it reads
    /// none.
    virtual std::optional<std::string> prefix_producer() const { return std::nullopt; }

    /// `scores.size() == candidates.size()`; every element is written.
    virtual void score(
        const InferenceRequest& request, std::span<const Candidate> candidates, std::span<double> scores
    ) const = 0;
};

/// Removes candidates that must not serve the request; may compare them with each other.
class Filter : public virtual Plugin {
public:
    virtual void filter(const InferenceRequest& request, std::vector<Candidate>& candidates) = 0;
};

/// A candidate's place in the profile's list, and the weighted sum of its scores.
struct ScoredCandidate {
    std::size_t index = 0;
    double total = 0;
};

/// The source of chance of all decisions; seeded once, guarded by the decision lock.
using RandomEngine = std::mt19937_64;

/// Chooses among scored candidates.
class Picker : public virtual Plugin {
public:
    /// Reorders `candidates` so that the winner stands first and the fallbacks follow in order, and cuts
    /// it to the number that the picker was told to give (at least one). `candidates` is not empty.
    virtual void pick(std::vector<ScoredCandidate>& candidates, RandomEngine& random) = 0;
};

/// Finds out something about a request or about request and candidate, and learns from the decision.
class DataProducer : public virtual Plugin {
public:
    /// It sets `Candidate::prefix_match`; one producer of a configuration may.
    virtual bool gives_prefix_match() const { return false; }

    /// Computes what depends on the request alone. Outside the lock, from many threads at once.
    virtual void prepare(InferenceRequest& /*request*/) const {}

    /// Attaches attributes to the candidates, before filters and scorers. Also called for
    /// `Scheduler::explain`.
    virtual void produce(const InferenceRequest& request, std::span<Candidate> candidates) = 0;

    /// The request goes to `endpoint`; what a later `on_unpicked` needs may be left in the request.
    virtual void on_picked(InferenceRequest& /*request*/, const Endpoint& /*endpoint*/) {}

    /// `endpoint` will not get the request after all; a next `on_picked` may follow with another one.
    /// `request` is as the last `on_picked` left it.
    virtual void on_unpicked(const InferenceRequest& /*request*/, const Endpoint& /*endpoint*/) {}

    /// `endpoint` is gone or has restarted: nothing that was believed of it holds.
    virtual void forget(const Endpoint& /*endpoint*/) {}

    /// What the index of this producer holds; zero when it keeps none.
    virtual std::size_t index_blocks(const Endpoint& /*endpoint*/) const { return 0; }
    virtual std::size_t index_bytes() const { return 0; }
};

class SchedulingProfile;

/// Says which profile serves a request.
class ProfileHandler : public virtual Plugin {
public:
    /// Profiles that it can choose among; a configuration with more is refused.
    virtual std::size_t profiles_max() const { return std::numeric_limits<std::size_t>::max(); }

    /// Index into `profiles`, which is not empty.
    virtual std::size_t choose(const InferenceRequest& request, std::span<const SchedulingProfile> profiles)
        const = 0;
};

}  // namespace warmlane::routing
