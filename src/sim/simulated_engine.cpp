#include "warmlane/sim/simulated_engine.hpp"

#include "kv_cache.hpp"

#include <xxhash.h>

#include <algorithm>
#include <deque>
#include <unordered_map>

namespace warmlane::sim {
namespace {

struct Request {
    RequestId id = 0;
    TimePoint arrived_at;
    std::uint32_t prompt_tokens = 0;
    std::uint32_t output_tokens = 0;
    /// One per full block of prompt and output together.
    std::vector<BlockHash> hashes;

    std::vector<BlockId> blocks;
    /// Tokens whose keys and values are in `blocks`.
    std::uint32_t computed = 0;
    /// Tokens of the output made so far.
    std::uint32_t produced = 0;
    /// Tokens that the step under way computes.
    std::uint32_t scheduled = 0;
    std::optional<std::uint32_t> cached_tokens;
    Duration queued{0};
    TimePoint last_token_at;

    std::uint32_t known_tokens() const { return prompt_tokens + produced; }
    std::uint32_t missing_tokens() const { return known_tokens() - computed; }
    bool is_decoding() const { return produced > 0 && missing_tokens() == 1; }
};

std::vector<BlockHash> block_hashes(const EngineRequest& request, std::uint32_t block_tokens) {
    std::vector<Token> tokens = request.prompt;
    tokens.insert(tokens.end(), request.output.begin(), request.output.end());
    std::vector<BlockHash> hashes(tokens.size() / block_tokens);
    BlockHash previous = XXH3_64bits(request.cache_scope.data(), request.cache_scope.size());
    for (std::size_t i = 0; i < hashes.size(); ++i) {
        const Token* const block = tokens.data() + i * block_tokens;
        previous = XXH3_64bits_withSeed(block, block_tokens * sizeof(Token), previous);
        hashes[i] = previous;
    }
    return hashes;
}

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
    bool admit(Request& request, TimePoint at, std::uint32_t budget);
    void schedule(Request& request, std::uint32_t tokens);
    std::uint32_t missing_blocks(const Request& request, std::uint32_t tokens) const;
    void preempt_last();
    Duration step_time() const;
    void end_step();
    void end_step_of(Request& request, TimePoint at);
    void drop(RequestId id);

    const EngineOptions options;

    KvCache cache;
    std::unordered_map<RequestId, Request> requests;
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
        at = std::max(at, requests.at(waiting.front()).arrived_at);
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
        Request& request = requests.at(running[i]);
        const std::uint32_t tokens = std::min(request.missing_tokens(), budget);
        const std::uint32_t fresh = missing_blocks(request, tokens);
        while (i < running.size() && !cache.take({}, fresh, request.blocks)) {
            preempt_last();
        }
        if (i < running.size()) {
            schedule(request, tokens);
            budget -= tokens;
        }
    }
    return budget;
}

void SimulatedEngine::State::admit_waiting(TimePoint at, std::uint32_t budget) {
    while (!waiting.empty() && running.size() < options.running_max && budget > 0) {
        Request& request = requests.at(waiting.front());
        if (request.arrived_at > at || !admit(request, at, budget)) {
            return;
        }
        budget -= request.scheduled;
        running.push_back(request.id);
        waiting.pop_front();
    }
}

bool SimulatedEngine::State::admit(Request& request, TimePoint at, std::uint32_t budget) {
    // The last token is always computed, since the next one is sampled from it.
    const std::size_t usable = (request.known_tokens() - 1) / options.block_tokens;
    const std::span<const BlockHash> candidates(
        request.hashes.data(), std::min(usable, request.hashes.size())
    );
    const std::span<const BlockHash> matched = candidates.first(cache.match(candidates));
    const auto cached = static_cast<std::uint32_t>(matched.size()) * options.block_tokens;
    const std::uint32_t tokens = std::min(request.known_tokens() - cached, budget);
    const std::uint32_t blocks = (cached + tokens + options.block_tokens - 1) / options.block_tokens;
    if (!cache.take(matched, blocks - static_cast<std::uint32_t>(matched.size()), request.blocks)) {
        return false;
    }
    if (!request.cached_tokens) {
        request.cached_tokens = cached;
        request.queued = at - request.arrived_at;
        counts.prefix_query_tokens += options.prefix_caching ? request.prompt_tokens : 0;
        counts.prefix_hit_tokens += cached;
    }
    request.computed = cached;
    schedule(request, tokens);
    return true;
}

/// A block can be found from the step on that fills it: whoever shares it in that step reads it after it is
/// written.
void SimulatedEngine::State::schedule(Request& request, std::uint32_t tokens) {
    request.scheduled = tokens;
    if (!options.prefix_caching) {
        return;
    }
    const std::uint32_t full_before = request.computed / options.block_tokens;
    const std::uint32_t full_after = (request.computed + tokens) / options.block_tokens;
    for (std::uint32_t i = full_before; i < full_after; ++i) {
        cache.publish(request.blocks[i], request.hashes[i]);
    }
}

std::uint32_t SimulatedEngine::State::missing_blocks(const Request& request, std::uint32_t tokens) const {
    const std::uint32_t needed =
        (request.computed + tokens + options.block_tokens - 1) / options.block_tokens;
    return needed - static_cast<std::uint32_t>(request.blocks.size());
}

void SimulatedEngine::State::preempt_last() {
    Request& request = requests.at(running.back());
    running.pop_back();
    cache.release(request.blocks);
    request.computed = 0;
    request.scheduled = 0;
    waiting.push_front(request.id);
    ++counts.preemptions;
}

Duration SimulatedEngine::State::step_time() const {
    std::uint32_t prefill_tokens = 0;
    std::uint32_t batch = 0;
    for (const RequestId id : running) {
        const Request& request = requests.at(id);
        prefill_tokens += request.is_decoding() ? 0 : request.scheduled;
        batch += request.scheduled > 0 ? 1 : 0;
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
        end_step_of(requests.at(id), step_at);
    }
}

void SimulatedEngine::State::end_step_of(Request& request, TimePoint at) {
    if (request.scheduled == 0) {
        return;
    }
    request.computed += request.scheduled;
    request.scheduled = 0;
    if (request.missing_tokens() > 0) {
        return;
    }
    ++request.produced;
    ++counts.generation_tokens;
    EngineEvent event{
        .id = request.id,
        .at = at,
        .output_tokens = request.produced,
        .prompt_tokens = request.prompt_tokens,
        .cached_tokens = *request.cached_tokens,
        .finished = request.produced == request.output_tokens,
        .since_arrival = at - request.arrived_at,
        .since_last_token = Duration{0},
        .queued = request.queued,
    };
    if (request.produced == 1) {
        counts.prompt_tokens += request.prompt_tokens;
    } else {
        event.since_last_token = at - request.last_token_at;
    }
    request.last_token_at = at;
    events.push_back(event);
    if (event.finished) {
        ++counts.finished;
        drop(request.id);
    }
}

void SimulatedEngine::State::drop(RequestId id) {
    cache.release(requests.at(id).blocks);
    std::erase(running, id);
    std::erase(waiting, id);
    requests.erase(id);
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
    if (state_->waiting.size() >= state_->options.waiting_max) {
        ++state_->counts.refused;
        return {.admission = Admission::queue_full};
    }
    const bool idle = !next_step_at();
    Request entry;
    entry.id = ++state_->last_id;
    entry.arrived_at = now;
    entry.prompt_tokens = static_cast<std::uint32_t>(request.prompt.size());
    entry.output_tokens = static_cast<std::uint32_t>(request.output.size());
    if (state_->options.prefix_caching) {
        entry.hashes = block_hashes(request, state_->options.block_tokens);
    }
    const RequestId id = entry.id;
    state_->requests.emplace(id, std::move(entry));
    state_->waiting.push_back(id);
    if (idle) {
        state_->step_at = now;
    }
    return {.admission = Admission::accepted, .id = id};
}

void SimulatedEngine::abort(RequestId id) {
    if (state_->requests.contains(id)) {
        state_->drop(id);
        ++state_->counts.aborted;
    }
}

std::optional<TimePoint> SimulatedEngine::next_step_at() const {
    if (!state_->in_step && state_->requests.empty()) {
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
