#pragma once

#include "warmlane/core/clock.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warmlane::sim {

/// Names a token of the simulated model: equal ids stand for equal bytes.
using Token = std::uint32_t;

/// Microseconds with a fraction.
using Microseconds = std::chrono::duration<double, std::micro>;

struct EngineOptions {
    /// Tokens in one block of the KV cache.
    std::uint32_t block_tokens = 16;
    /// Blocks in the KV cache.
    std::uint32_t block_count = 4'096;
    /// Keep full blocks of finished requests and share equal ones.
    bool prefix_caching = true;
    /// Tokens computed in one step, over all requests of its batch.
    std::uint32_t step_tokens_max = 2'048;
    /// Requests in the running batch.
    std::uint32_t running_max = 64;
    /// Requests that may wait while the running batch is full; more are refused.
    std::uint32_t waiting_max = 1'000;
    /// Tokens of one request, prompt and answer together; never more than the cache holds.
    std::uint32_t model_tokens_max = 32'768;
    /// A step lasts `step_base + prefill tokens * step_per_prefill_token + requests * step_per_request`.
    Microseconds step_base{6'000.0};
    Microseconds step_per_prefill_token{60.0};
    Microseconds step_per_request{50.0};
    /// Time runs this many times as fast; above 0.
    double speed = 1.0;
    /// Chooses the answers.
    std::uint64_t seed = 0;
};

using RequestId = std::uint64_t;

/// What the engine needs to know of a request.
struct EngineRequest {
    /// At least one token.
    std::vector<Token> prompt;
    /// What the model is going to say: at least one token.
    std::vector<Token> output;
    /// Model, adapter and salt: blocks are shared only between requests with an equal scope.
    std::string cache_scope;
};

enum class Admission : std::uint8_t {
    accepted,
    /// Batch and waiting queue are at their limits.
    queue_full,
    /// Prompt and output together exceed `SimulatedEngine::request_tokens_max()`, or one of them is empty.
    bad_length,
};

struct Submission {
    Admission admission = Admission::accepted;
    /// Only when accepted.
    RequestId id = 0;
};

/// One token that a request got at the end of a step.
struct EngineEvent {
    RequestId id = 0;
    /// End of the step.
    TimePoint at;
    /// Tokens of the answer so far, this one included.
    std::uint32_t output_tokens = 0;
    std::uint32_t prompt_tokens = 0;
    /// Prompt tokens that were found in the cache when the request was first admitted.
    std::uint32_t cached_tokens = 0;
    bool finished = false;
    Duration since_arrival{0};
    /// 0 for the first token.
    Duration since_last_token{0};
    /// From arrival to the first admission.
    Duration queued{0};
};

/// Counts since the start, and the state of the moment.
struct EngineStats {
    std::uint32_t running = 0;
    std::uint32_t waiting = 0;
    /// Share of blocks that running requests hold, 0 to 1.
    double kv_usage = 0;
    /// Blocks that can be found by a later request.
    std::uint32_t cached_blocks = 0;

    std::uint64_t steps = 0;
    std::uint64_t finished = 0;
    std::uint64_t aborted = 0;
    std::uint64_t refused = 0;
    std::uint64_t preemptions = 0;
    std::uint64_t evicted_blocks = 0;
    /// Prompt tokens of requests that got their first token, and those of them that came from the cache.
    std::uint64_t prompt_tokens = 0;
    std::uint64_t generation_tokens = 0;
    /// Tokens that were looked up in the prefix cache, and those found.
    std::uint64_t prefix_query_tokens = 0;
    std::uint64_t prefix_hit_tokens = 0;
};

/// An engine in vLLM's manner without a model: continuous batching in steps that share one token budget,
/// chunked prefill, a paged KV cache with prefix sharing, preemption by recomputation. Time is given from
/// outside, so a server can drive it by the wall clock and a test or a replay in virtual time. Deterministic.
/// One thread.
class SimulatedEngine {
public:
    explicit SimulatedEngine(const EngineOptions& options);
    ~SimulatedEngine();
    SimulatedEngine(const SimulatedEngine&) = delete;
    SimulatedEngine& operator=(const SimulatedEngine&) = delete;

    const EngineOptions& options() const;
    /// Most tokens that one request may have, prompt and output together.
    std::uint32_t request_tokens_max() const;

    /// Puts a request into the waiting queue. `now` never goes back from call to call.
    Submission submit(const EngineRequest& request, TimePoint now);

    /// Drops a request at once, its blocks stay cached; nothing when it is not known (any more).
    void abort(RequestId id);

    /// When `advance` has something to do; absent while there is no work.
    std::optional<TimePoint> next_step_at() const;

    /// Runs every step that ends until `now`, in order.
    ///
    /// @return the tokens made, in the order of their steps; valid until the next call.
    std::span<const EngineEvent> advance(TimePoint now);

    /// Forgets every cached block; running requests keep what they hold.
    void reset_prefix_cache();

    EngineStats stats() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace warmlane::sim
