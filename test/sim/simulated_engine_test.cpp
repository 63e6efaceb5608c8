#include "engine_harness.hpp"

#include <doctest/doctest.h>

namespace warmlane::sim::test {

TEST_CASE("engine: the step model gives the times of a lone request") {
    EngineRun run;
    const RequestId id = run.submit(tokens(0, 40), tokens(1000, 3));
    const TimePoint start = run.now;
    run.finish();
    const auto& events = run.events[id];
    REQUIRE(events.size() == 3);
    // 10 ms and 40 prefill tokens of 100 us, then two decode steps of 10 ms.
    CHECK(events[0].at - start == 14ms);
    CHECK(events[1].at - start == 24ms);
    CHECK(events[2].at - start == 34ms);
    CHECK(events[0].since_arrival == 14ms);
    CHECK(events[0].since_last_token == 0ms);
    CHECK(events[2].since_last_token == 10ms);
    CHECK_FALSE(events[1].finished);
    CHECK(events[2].finished);
    CHECK_FALSE(run.engine.next_step_at().has_value());
}

TEST_CASE("engine: speed divides every time") {
    EngineOptions options = plain_options();
    options.speed = 10.0;
    EngineRun run(options);
    CHECK(run.complete(tokens(0, 40), tokens(1000, 2)).since_arrival == 2'400us);
}

TEST_CASE("engine: a long prompt is computed in chunks of the step's budget") {
    EngineRun run;
    const EngineEvent last = run.complete(tokens(0, 250), tokens(1000, 1));
    // Chunks of 100, 100 and 50 tokens.
    CHECK(last.since_arrival == 20ms + 20ms + 15ms);
    CHECK(run.engine.stats().steps == 3);
}

TEST_CASE("engine: decoding goes on beside another prompt, slowed by its chunks") {
    EngineRun run;
    const RequestId first = run.submit(tokens(0, 16), tokens(1000, 4));
    run.step();
    run.step();
    run.submit(tokens(500, 150), tokens(2000, 1));
    run.finish();
    const auto& events = run.events[first];
    REQUIRE(events.size() == 4);
    // The step under way was planned before the second prompt came; then 99 of its tokens fit beside one
    // decoded.
    CHECK(events[1].since_last_token == 10ms);
    CHECK(events[2].since_last_token == 10ms + 99 * 100us);
    CHECK(events[3].since_last_token == 10ms + 51 * 100us);
}

TEST_CASE("engine: cached tokens of a growing conversation are its full blocks, answer included") {
    EngineRun run;
    std::vector<Token> conversation = tokens(0, 40);
    const std::vector<Token> answer = tokens(1000, 20);
    CHECK(run.complete(conversation, answer).cached_tokens == 0);
    // 59 tokens were computed: the last one of the answer never was. Three blocks of 16 are full.
    conversation = joined(joined(conversation, answer), tokens(100, 10));
    CHECK(run.complete(conversation, tokens(2000, 1)).cached_tokens == 48);
    const EngineStats stats = run.engine.stats();
    CHECK(stats.prefix_query_tokens == 40 + 70);
    CHECK(stats.prefix_hit_tokens == 48);
    CHECK(stats.prompt_tokens == 110);
    CHECK(stats.generation_tokens == 21);
}

TEST_CASE("engine: cached tokens count whole blocks and never the last token") {
    struct Row {
        const char* name;
        std::size_t prompt_tokens;
        std::uint32_t cached_tokens;
    };
    const Row rows[] = {
        {"shorter than a block", 15, 0},
        {"exactly a block: its last token is computed anew", 16, 0},
        {"one token more", 17, 16},
        {"three blocks less one token", 47, 32},
        {"three blocks", 48, 32},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        EngineRun run;
        run.complete(tokens(0, row.prompt_tokens), tokens(1000, 1));
        CHECK(run.complete(tokens(0, row.prompt_tokens), tokens(1000, 1)).cached_tokens == row.cached_tokens);
    }
}

TEST_CASE("engine: nothing is shared between scopes, nor behind a difference") {
    EngineRun run;
    run.complete(tokens(0, 64), tokens(1000, 1));
    SUBCASE("another scope") {
        run.scope = "adapter";
        CHECK(run.complete(tokens(0, 64), tokens(1000, 1)).cached_tokens == 0);
    }
    SUBCASE("a different first token") {
        std::vector<Token> other = tokens(0, 64);
        other.front() = 999;
        CHECK(run.complete(other, tokens(1000, 1)).cached_tokens == 0);
    }
    SUBCASE("a different token in the second block") {
        std::vector<Token> other = tokens(0, 64);
        other[20] = 999;
        CHECK(run.complete(other, tokens(1000, 1)).cached_tokens == 16);
    }
}

TEST_CASE("engine: without prefix caching every prompt is computed whole") {
    EngineOptions options = plain_options();
    options.prefix_caching = false;
    EngineRun run(options);
    run.complete(tokens(0, 64), tokens(1000, 1));
    const EngineEvent again = run.complete(tokens(0, 64), tokens(1000, 1));
    CHECK(again.cached_tokens == 0);
    CHECK(again.since_arrival == 10ms + 6'400us);
    CHECK(run.engine.stats().prefix_query_tokens == 0);
    CHECK(run.engine.stats().cached_blocks == 0);
}

TEST_CASE("engine: requests that run together share the blocks of their common prompt") {
    EngineRun run;
    const RequestId first = run.submit(tokens(0, 64), tokens(1000, 10));
    run.step();
    const RequestId second = run.submit(tokens(0, 64), tokens(2000, 10));
    run.step();
    run.step();
    // Five blocks of the first, of which the second shares three and adds two of its own.
    CHECK(run.engine.stats().kv_usage == doctest::Approx(7.0 / 64));
    run.finish();
    CHECK(run.events[first].back().cached_tokens == 0);
    CHECK(run.events[second].back().cached_tokens == 48);
    CHECK(run.engine.stats().kv_usage == 0.0);
}

TEST_CASE("engine: eviction takes tails first, so the head of a prompt outlives its end") {
    EngineOptions options = plain_options();
    options.block_count = 8;
    EngineRun run(options);
    run.complete(tokens(0, 80), tokens(1000, 1));
    // Six blocks of another prompt need three of the five that are cached.
    run.complete(tokens(500, 90), tokens(2000, 1));
    CHECK(run.engine.stats().evicted_blocks == 3);
    CHECK(run.complete(tokens(0, 80), tokens(3000, 1)).cached_tokens == 32);
}

TEST_CASE("engine: a full cache preempts the youngest request, which is computed again") {
    EngineOptions options = plain_options();
    options.block_count = 8;
    EngineRun run(options);
    const RequestId old_one = run.submit(tokens(0, 60), tokens(1000, 20));
    const RequestId young_one = run.submit(tokens(500, 60), tokens(2000, 20));
    run.finish();
    const EngineStats stats = run.engine.stats();
    CHECK(stats.preemptions == 1);
    CHECK(stats.finished == 2);
    REQUIRE(run.events[old_one].size() == 20);
    REQUIRE(run.events[young_one].size() == 20);
    CHECK(run.events[old_one].back().at < run.events[young_one].back().at);
    Duration longest_gap{0};
    for (const EngineEvent& event : run.events[young_one]) {
        longest_gap = std::max(longest_gap, event.since_last_token);
    }
    CHECK(longest_gap > 100ms);
}

TEST_CASE("engine: load and cache misses interact: the time to the first token grows with the queue") {
    EngineOptions options = plain_options();
    options.block_count = 1'024;
    EngineRun run(options);
    std::vector<RequestId> ids;
    ids.reserve(6);
    for (Token i = 0; i < 6; ++i) {
        ids.push_back(run.submit(tokens(i * 1000, 200), tokens(90'000, 1)));
    }
    const RequestId cached = run.submit(tokens(0, 200), tokens(90'000, 1));
    run.finish();
    for (std::size_t i = 1; i < ids.size(); ++i) {
        CHECK(run.events[ids[i]].front().since_arrival > run.events[ids[i - 1]].front().since_arrival);
    }
    // 1,200 tokens of misses cost 12 steps; the hit computes 8 of its 200 and fits into the thirteenth.
    CHECK(run.events[ids.back()].front().since_arrival == 12 * 20ms);
    CHECK(run.events[cached].front().cached_tokens == 192);
    CHECK(run.events[cached].front().since_arrival == 12 * 20ms + 10ms + 800us);
}

TEST_CASE("engine: the batch limit makes requests wait, the queue limit refuses them") {
    EngineOptions options = plain_options();
    options.running_max = 1;
    options.waiting_max = 2;
    EngineRun run(options);
    run.submit(tokens(0, 20), tokens(1000, 5));
    run.step();
    run.submit(tokens(100, 20), tokens(1000, 5));
    run.submit(tokens(200, 20), tokens(1000, 5));
    CHECK(run.engine.stats().running == 1);
    CHECK(run.engine.stats().waiting == 2);
    CHECK(
        run.engine.submit({tokens(300, 20), tokens(1000, 5), ""}, run.now).admission == Admission::queue_full
    );
    CHECK(run.engine.stats().refused == 1);
    run.finish();
    CHECK(run.engine.stats().finished == 3);
}

TEST_CASE("engine: a request that can never fit is refused") {
    EngineOptions options = plain_options();
    options.block_count = 4;
    SimulatedEngine engine(options);
    CHECK(engine.request_tokens_max() == 64);
    const TimePoint now{};
    struct Row {
        const char* name;
        std::size_t prompt;
        std::size_t output;
        Admission admission;
    };
    const Row rows[] = {
        {"as long as the cache", 60, 4, Admission::accepted},
        {"one token more", 60, 5, Admission::bad_length},
        {"no prompt", 0, 4, Admission::bad_length},
        {"no output", 4, 0, Admission::bad_length},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(
            engine.submit({tokens(0, row.prompt), tokens(9, row.output), ""}, now).admission == row.admission
        );
    }
}

TEST_CASE("engine: an aborted request gets no more tokens, gives its blocks back and leaves them cached") {
    EngineRun run;
    const RequestId running = run.submit(tokens(0, 40), tokens(1000, 50));
    run.step();
    run.step();
    const RequestId waiting = run.submit(tokens(0, 40), tokens(1000, 50));
    run.engine.abort(running);
    run.engine.abort(waiting);
    run.engine.abort(waiting);
    run.finish();
    CHECK(run.events[running].size() == 1);
    CHECK(run.events[waiting].empty());
    CHECK(run.engine.stats().aborted == 2);
    CHECK(run.engine.stats().kv_usage == 0.0);
    CHECK(run.complete(tokens(0, 40), tokens(1000, 1)).cached_tokens == 32);
}

TEST_CASE("engine: resetting the prefix cache forgets everything, also under a running request") {
    EngineRun run;
    run.submit(tokens(0, 64), tokens(1000, 5));
    run.step();
    run.step();
    run.engine.reset_prefix_cache();
    run.finish();
    CHECK(run.complete(tokens(0, 64), tokens(1000, 1)).cached_tokens == 0);
    CHECK(run.complete(tokens(0, 64), tokens(1000, 1)).cached_tokens == 48);
}

TEST_CASE("engine: a clock that comes late changes no time of a step") {
    EngineRun run;
    const RequestId id = run.submit(tokens(0, 40), tokens(1000, 3));
    const TimePoint start = run.now;
    const auto events = run.engine.advance(start + 1h);
    REQUIRE(events.size() == 3);
    CHECK(events[2].id == id);
    CHECK(events[2].at - start == 34ms);
}

TEST_CASE("engine: a step that ended before a request came does not begin the next one before it") {
    EngineRun run;
    run.submit(tokens(0, 40), tokens(1000, 1));
    run.engine.advance(run.now);
    run.now += 20ms;
    // The first request is over since 14 ms, but nobody has looked yet.
    const RequestId late = run.submit(tokens(500, 40), tokens(1000, 1));
    run.finish();
    REQUIRE(run.events[late].size() == 1);
    CHECK(run.events[late].front().since_arrival == 14ms);
    CHECK(run.engine.stats().steps == 2);
}

}  // namespace warmlane::sim::test
