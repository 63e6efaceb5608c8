#include "warmlane/sim/simulated_engine.hpp"

#include "kv_cache.hpp"
#include "sequence.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace warmlane::sim {
namespace {

EngineOptions sane(EngineOptions options) {
    options.block_tokens = std::max(options.block_tokens, 1U);
    options.block_count = std::max(options.block_count, 1U);
    options.step_tokens_max = std::max(options.step_tokens_max, 1U);
    options.running_max = std::max(options.running_max, 1U);
    options.speed = options.speed > 0 ? options.speed : 1.0;
    return options;
}

}  // namespace

struct SimulatedEngine::State {
    explicit State(const EngineOptions& given) : options(sane(given)), cache(options.block_count) {}

    void begin_step(TimePoint at);
    std::uint32_t schedule_running();
    void admit_waiting(TimePoint at, std::uint32_t budget);
    bool admit(Sequence& sequence, TimePoint at, std::uint32_t budget);
    void schedule(Sequence& sequence, std::uint32_t tokens);
    std::uint32_t missing_blocks(const Sequence& sequence, std::uint32_t tokens) const;
    void preempt_last();
    Duration step_time() const;
    void end_step();
    void end_step_of(Sequence& sequence, TimePoint at);
    void drop(RequestId id);

    const EngineOptions options;

    KvCache cache;
    std::unordered_map<RequestId, Sequence> sequences;
    /// In the order of admission.
    std::vector<RequestId> running;
    std::deque<RequestId> waiting;
    /// When the step under way ends; without one, when the next may begin.
    TimePoint step_at;
    bool in_step = false;
    RequestId last_id = 0;
    std::vector<EngineEvent> events;
    EngineStats counts;
};

/// Plans the step that begins at `at`, in vLLM's order: running requests first, oldest first, then new ones.
void SimulatedEngine::State::begin_step(TimePoint at) {
    if (running.empty()) {
        at = std::max(at, sequences.at(waiting.front()).arrived_at);
    }
    const std::uint64_t preemptions_before = counts.preemptions;
    const std::uint32_t budget = schedule_running();
    if (counts.preemptions == preemptions_before) {
        admit_waiting(at, budget);
    }
    step_at = at + step_time();
    in_step = true;
}

/// Returns what is left of the step's token budget.
std::uint32_t SimulatedEngine::State::schedule_running() {
    std::uint32_t budget = options.step_tokens_max;
    for (std::size_t i = 0; i < running.size() && budget > 0; ++i) {
        Sequence& sequence = sequences.at(running[i]);
        const std::uint32_t tokens = std::min(sequence.missing_tokens(), budget);
        const std::uint32_t fresh = missing_blocks(sequence, tokens);
        while (i < running.size() && !cache.take({}, fresh, sequence.blocks)) {
            preempt_last();
        }
        if (i < running.size()) {
            schedule(sequence, tokens);
            budget -= tokens;
        }
    }
    return budget;
}

void SimulatedEngine::State::admit_waiting(TimePoint at, std::uint32_t budget) {
    while (!waiting.empty() && running.size() < options.running_max && budget > 0) {
        Sequence& sequence = sequences.at(waiting.front());
        if (sequence.arrived_at > at || !admit(sequence, at, budget)) {
            return;
        }
        budget -= sequence.scheduled;
        running.push_back(sequence.id);
        waiting.pop_front();
    }
}

bool SimulatedEngine::State::admit(Sequence& sequence, TimePoint at, std::uint32_t budget) {
    // The last token is always computed, since the next one is sampled from it.
    const std::size_t usable = (sequence.known_tokens() - 1) / options.block_tokens;
    const std::span<const BlockHash> candidates(
        sequence.hashes.data(), std::min(usable, sequence.hashes.size())
    );
    const std::span<const BlockHash> matched = candidates.first(cache.match(candidates));
    const auto cached = static_cast<std::uint32_t>(matched.size()) * options.block_tokens;
    const std::uint32_t tokens = std::min(sequence.known_tokens() - cached, budget);
    const std::uint32_t blocks = (cached + tokens + options.block_tokens - 1) / options.block_tokens;
    if (!cache.take(matched, blocks - static_cast<std::uint32_t>(matched.size()), sequence.blocks)) {
        return false;
    }
    if (!sequence.cached_tokens) {
        sequence.cached_tokens = cached;
        sequence.queued = at - sequence.arrived_at;
        counts.prefix_query_tokens += options.prefix_caching ? sequence.prompt_tokens : 0;
        counts.prefix_hit_tokens += cached;
    }
    sequence.computed = cached;
    schedule(sequence, tokens);
    return true;
}

/// A block can be found from the step on that fills it: whoever shares it in that step reads it after it is
/// written.
void SimulatedEngine::State::schedule(Sequence& sequence, std::uint32_t tokens) {
    sequence.scheduled = tokens;
    if (!options.prefix_caching) {
        return;
    }
    const std::uint32_t full_before = sequence.computed / options.block_tokens;
    const std::uint32_t full_after = (sequence.computed + tokens) / options.block_tokens;
    for (std::uint32_t i = full_before; i < full_after; ++i) {
        cache.publish(sequence.blocks[i], sequence.hashes[i]);
    }
}

std::uint32_t SimulatedEngine::State::missing_blocks(const Sequence& sequence, std::uint32_t tokens) const {
    const std::uint32_t needed =
        (sequence.computed + tokens + options.block_tokens - 1) / options.block_tokens;
    return needed - static_cast<std::uint32_t>(sequence.blocks.size());
}

void SimulatedEngine::State::preempt_last() {
    Sequence& sequence = sequences.at(running.back());
    running.pop_back();
    cache.release(sequence.blocks);
    sequence.computed = 0;
    sequence.scheduled = 0;
    waiting.push_front(sequence.id);
    ++counts.preemptions;
}

Duration SimulatedEngine::State::step_time() const {
    std::uint32_t prefill_tokens = 0;
    std::uint32_t batch = 0;
    for (const RequestId id : running) {
        const Sequence& sequence = sequences.at(id);
        prefill_tokens += sequence.is_decoding() ? 0 : sequence.scheduled;
        batch += sequence.scheduled > 0 ? 1 : 0;
    }
    const Microseconds time = options.step_base + prefill_tokens * options.step_per_prefill_token +
                              batch * options.step_per_request;
    return std::max(std::chrono::duration_cast<Duration>(time / options.speed), Duration{1});
}

void SimulatedEngine::State::end_step() {
    in_step = false;
    ++counts.steps;
    const std::vector<RequestId> batch = running;
    for (const RequestId id : batch) {
        end_step_of(sequences.at(id), step_at);
    }
}

void SimulatedEngine::State::end_step_of(Sequence& sequence, TimePoint at) {
    if (sequence.scheduled == 0) {
        return;
    }
    sequence.computed += sequence.scheduled;
    sequence.scheduled = 0;
    if (sequence.missing_tokens() > 0) {
        return;
    }
    const EngineEvent event = produce_token(sequence, at);
    events.push_back(event);
    ++counts.generation_tokens;
    counts.prompt_tokens += event.output_tokens == 1 ? event.prompt_tokens : 0;
    if (event.finished) {
        ++counts.finished;
        drop(sequence.id);
    }
}

void SimulatedEngine::State::drop(RequestId id) {
    cache.release(sequences.at(id).blocks);
    std::erase(running, id);
    std::erase(waiting, id);
    sequences.erase(id);
}

SimulatedEngine::SimulatedEngine(const EngineOptions& options) : state_(std::make_unique<State>(options)) {}

SimulatedEngine::~SimulatedEngine() = default;

const EngineOptions& SimulatedEngine::options() const {
    return state_->options;
}

std::uint32_t SimulatedEngine::request_tokens_max() const {
    const std::uint64_t capacity = std::uint64_t{state_->options.block_count} * state_->options.block_tokens;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity, state_->options.model_tokens_max));
}

Submission SimulatedEngine::submit(const EngineRequest& request, TimePoint now) {
    const std::size_t tokens = request.prompt.size() + request.output.size();
    if (request.prompt.empty() || request.output.empty() || tokens > request_tokens_max()) {
        return {.admission = Admission::bad_length};
    }
    const std::size_t room = std::size_t{state_->options.running_max} + state_->options.waiting_max;
    if (state_->sequences.size() >= room) {
        ++state_->counts.refused;
        return {.admission = Admission::queue_full};
    }
    if (!next_step_at()) {
        state_->step_at = now;
    }
    const RequestId id = ++state_->last_id;
    Sequence& sequence = state_->sequences.try_emplace(id, id, request, now).first->second;
    if (state_->options.prefix_caching) {
        sequence.hashes = block_hashes(request, state_->options.block_tokens);
    }
    state_->waiting.push_back(id);
    return {.admission = Admission::accepted, .id = id};
}

void SimulatedEngine::abort(RequestId id) {
    if (state_->sequences.contains(id)) {
        state_->drop(id);
        ++state_->counts.aborted;
    }
}

std::optional<TimePoint> SimulatedEngine::next_step_at() const {
    if (!state_->in_step && state_->sequences.empty()) {
        return std::nullopt;
    }
    return state_->step_at;
}

std::span<const EngineEvent> SimulatedEngine::advance(TimePoint now) {
    state_->events.clear();
    for (auto at = next_step_at(); at && *at <= now; at = next_step_at()) {
        if (state_->in_step) {
            state_->end_step();
        } else {
            state_->begin_step(*at);
        }
    }
    return state_->events;
}

void SimulatedEngine::reset_prefix_cache() {
    state_->cache.forget_all();
}

EngineStats SimulatedEngine::stats() const {
    EngineStats stats = state_->counts;
    const KvCache& cache = state_->cache;
    stats.running = static_cast<std::uint32_t>(state_->running.size());
    stats.waiting = static_cast<std::uint32_t>(state_->waiting.size());
    stats.kv_usage = 1.0 - static_cast<double>(cache.free_count()) / cache.block_count();
    stats.cached_blocks = cache.cached_count();
    stats.evicted_blocks = cache.evicted_count();
    return stats;
}

}  // namespace warmlane::sim
