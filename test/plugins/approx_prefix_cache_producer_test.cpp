#include "plugins/make_plugin.hpp"

namespace warmlane::plugins {
namespace {

/// `blocks` blocks of 256 bytes, all different, the same for the same name.
std::string text_of(std::string_view name, std::size_t blocks) {
    std::string text;
    for (std::size_t i = 0; i < blocks; ++i) {
        std::string block = std::string(name) + " " + std::to_string(i) + " ";
        block.resize(256, '.');
        text += block;
    }
    return text;
}

/// A producer over three endpoints, used as the scheduler uses it.
struct Fixture {
    explicit Fixture(std::string_view parameters = "{}")
        : producer(test::make_plugin<routing::DataProducer>("approx-prefix-cache-producer", parameters)) {}

    InferenceRequest prepared(std::initializer_list<std::string> prompts) const {
        InferenceRequest request;
        request.model = "m";
        for (const std::string& prompt : prompts) {
            test::add_prompt(request, prompt);
        }
        producer->prepare(request);
        return request;
    }
    InferenceRequest record(std::size_t i, std::initializer_list<std::string> prompts) {
        InferenceRequest request = prepared(prompts);
        produce(request);
        producer->on_picked(request, fleet.endpoint(i));
        return request;
    }
    std::vector<PrefixMatchInfo> produce(const InferenceRequest& request) {
        std::vector<routing::Candidate> candidates;
        for (const EndpointStatus& status : fleet.pool.endpoints) {
            routing::Candidate& candidate = candidates.emplace_back();
            candidate.endpoint = status.endpoint.get();
            candidate.metrics = status.metrics ? &*status.metrics : nullptr;
        }
        producer->produce(request, candidates);
        std::vector<PrefixMatchInfo> matches;
        for (const routing::Candidate& candidate : candidates) {
            REQUIRE(candidate.prefix_match.has_value());
            matches.push_back(candidate.prefix_match.value_or(PrefixMatchInfo{}));
        }
        return matches;
    }
    /// `match/total` of each endpoint.
    std::string matches(std::initializer_list<std::string> prompts) {
        std::string text;
        for (const PrefixMatchInfo& match : produce(prepared(prompts))) {
            text += std::to_string(match.match_blocks) + "/" + std::to_string(match.total_blocks) + " ";
        }
        text.pop_back();
        return text;
    }
    std::size_t blocks(std::size_t i) const { return producer->index_blocks(fleet.endpoint(i)); }
    /// The engine's cache as the metrics page of endpoint `i` shows it.
    void show_cache(std::size_t i, std::optional<std::uint64_t> count, std::optional<std::uint32_t> tokens) {
        EndpointMetrics& metrics = fleet.show(i, 0, 0, 0);
        metrics.block_count = count;
        metrics.block_tokens = tokens;
    }

    // The fleet's accessor is not const, and blocks() is.
    mutable test::Fleet fleet{3};
    std::shared_ptr<routing::DataProducer> producer;
};

}  // namespace

TEST_CASE("approx-prefix-cache-producer: an endpoint matches what was sent to it, from block 0") {
    Fixture f;
    f.record(0, {text_of("x", 2)});
    f.record(1, {text_of("x", 3)});
    CHECK(f.matches({text_of("x", 5)}) == "2/5 3/5 0/5");
    f.record(1, {text_of("x", 5)});
    CHECK(f.matches({text_of("x", 5)}) == "2/5 5/5 0/5");
    CHECK(f.matches({text_of("y", 5)}) == "0/5 0/5 0/5");
    CHECK(f.matches({text_of("y", 1) + text_of("x", 4)}) == "0/5 0/5 0/5");
    CHECK(f.blocks(0) == 2);
    CHECK(f.blocks(1) == 5);
    CHECK(f.producer->index_bytes() > 0);
}

TEST_CASE("approx-prefix-cache-producer: prompts that differ after their first block share that block") {
    Fixture f;
    const std::string head = text_of("head", 1);
    f.record(0, {head + text_of("p", 1)});
    f.record(2, {head + text_of("q", 1)});
    CHECK(f.matches({head + text_of("r", 1)}) == "1/2 0/2 1/2");
}

TEST_CASE("approx-prefix-cache-producer: the short tail counts as a block and matches only itself") {
    Fixture f;
    f.record(0, {std::string(600, 'a')});
    CHECK(f.matches({std::string(600, 'a')}) == "3/3 0/3 0/3");
    CHECK(f.matches({std::string(900, 'a')}) == "2/4 0/4 0/4");
    CHECK(f.matches({std::string(599, 'a')}) == "2/3 0/3 0/3");
    CHECK(f.matches({"hello you!"}) == "0/1 0/1 0/1");
}

TEST_CASE("approx-prefix-cache-producer: a request without a prompt has no blocks") {
    Fixture f;
    CHECK(f.matches({}) == "0/0 0/0 0/0");
    CHECK(f.matches({""}) == "0/0 0/0 0/0");
    f.record(0, {});
    f.record(0, {""});
    CHECK(f.blocks(0) == 0);
}

TEST_CASE("approx-prefix-cache-producer: prompts of one request are chains of their own, summed") {
    Fixture f;
    const std::string one = text_of("one", 3);
    const std::string two = text_of("two", 2);
    f.record(0, {one, two});
    CHECK(f.matches({one, two}) == "5/5 0/5 0/5");
    CHECK(f.matches({two, one}) == "5/5 0/5 0/5");
    CHECK(f.matches({one + two}) == "3/5 0/5 0/5");
    CHECK(f.matches({one, text_of("three", 2)}) == "3/5 0/5 0/5");
}

TEST_CASE("approx-prefix-cache-producer: model and salt separate prompts") {
    Fixture f;
    const auto request_of = [&](std::string model, std::string salt) {
        InferenceRequest request = test::make_request(text_of("x", 2), std::move(model), std::move(salt));
        f.producer->prepare(request);
        return request;
    };
    InferenceRequest request = request_of("base", "s1");
    f.producer->on_picked(request, f.fleet.endpoint(0));
    CHECK(f.produce(request_of("base", "s1"))[0].match_blocks == 2);
    CHECK(f.produce(request_of("base", ""))[0].match_blocks == 0);
    CHECK(f.produce(request_of("base", "s2"))[0].match_blocks == 0);
    CHECK(f.produce(request_of("base-lora-7", "s1"))[0].match_blocks == 0);
    CHECK(f.produce(request_of("bases", "1"))[0].match_blocks == 0);
}

TEST_CASE("approx-prefix-cache-producer: a block has at least 64 tokens") {
    struct Row {
        const char* parameters;
        std::uint32_t block_tokens;
    };
    const Row rows[] = {
        {R"({})", 64},
        {R"({"blockSizeTokens": 16})", 64},
        {R"({"blockSizeTokens": 0})", 64},
        {R"({"blockSizeTokens": 32, "autoTune": false})", 64},
        {R"({"blockSizeTokens": 128})", 128},
        {R"({"blockSizeTokens": 128, "autoTune": false})", 128},
        {R"({"blockSize": 128})", 128},
        {R"({"blockSize": 128, "blockSizeTokens": 256})", 256},
    };
    for (const Row& row : rows) {
        CAPTURE(row.parameters);
        Fixture f(row.parameters);
        const std::vector<PrefixMatchInfo> matches = f.produce(f.prepared({std::string(768, 'a')}));
        CHECK(matches[0].block_tokens == row.block_tokens);
        CHECK(matches[0].total_blocks == (768 / 4 + row.block_tokens - 1) / row.block_tokens);
    }
}

TEST_CASE("approx-prefix-cache-producer: block sizes that endpoints report do not matter") {
    Fixture f;
    f.show_cache(0, {}, 4);
    f.show_cache(1, {}, 4096);
    f.record(0, {std::string(600, 'a')});
    CHECK(f.matches({std::string(600, 'a')}) == "3/3 0/3 0/3");
}

TEST_CASE("approx-prefix-cache-producer: caps on what is matched") {
    struct Row {
        const char* name;
        const char* parameters;
        std::string matches;
    };
    const Row rows[] = {
        {"the default is far away", "{}", "4/4 0/4 0/4"},
        {"two blocks of tokens", R"({"maxPrefixTokensToMatch": 128})", "2/2 0/2 0/2"},
        {"a part of a block is cut", R"({"maxPrefixTokensToMatch": 191})", "2/2 0/2 0/2"},
        {"less than a block is one block", R"({"maxPrefixTokensToMatch": 1})", "1/1 0/1 0/1"},
        {"blocks count when tokens do not",
         R"({"maxPrefixTokensToMatch": 0, "maxPrefixBlocksToMatch": 3})",
         "3/3 0/3 0/3"},
        {"tokens win over blocks",
         R"({"maxPrefixTokensToMatch": 128, "maxPrefixBlocksToMatch": 3})",
         "2/2 0/2 0/2"},
        {"both 0 is everything",
         R"({"maxPrefixTokensToMatch": 0, "maxPrefixBlocksToMatch": 0})",
         "4/4 0/4 0/4"},
        {"larger than the prompt", R"({"maxPrefixTokensToMatch": 100000})", "4/4 0/4 0/4"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        Fixture f(row.parameters);
        f.record(0, {text_of("x", 4)});
        CHECK(f.matches({text_of("x", 4)}) == row.matches);
    }
    Fixture everything(R"({"maxPrefixTokensToMatch": 0, "maxPrefixBlocksToMatch": 0})");
    CHECK(everything.produce(everything.prepared({text_of("long", 3000)}))[0].total_blocks == 3000);
    Fixture capped;
    CHECK(capped.produce(capped.prepared({text_of("long", 3000)}))[0].total_blocks == 2048);
}

TEST_CASE("approx-prefix-cache-producer: the oldest prompt is forgotten first") {
    Fixture f(R"({"lruCapacityPerServer": 2})");
    f.record(0, {text_of("x", 1)});
    f.record(0, {text_of("y", 1)});
    f.record(0, {text_of("z", 1)});
    CHECK(f.matches({text_of("x", 1)}) == "0/1 0/1 0/1");
    CHECK(f.matches({text_of("y", 1)}) == "1/1 0/1 0/1");
    CHECK(f.matches({text_of("z", 1)}) == "1/1 0/1 0/1");
    CHECK(f.blocks(0) == 2);
}

TEST_CASE("approx-prefix-cache-producer: a prompt loses its tail before its head") {
    Fixture f(R"({"lruCapacityPerServer": 6})");
    f.record(0, {text_of("x", 6)});
    f.record(0, {text_of("y", 1)});
    f.record(1, {text_of("x", 1)});
    CHECK(f.matches({text_of("x", 6)}) == "5/6 1/6 0/6");
    f.record(2, {text_of("x", 9)});
    CHECK(f.matches({text_of("x", 9)}) == "5/9 1/9 6/9");
    CHECK(f.blocks(2) == 6);
}

TEST_CASE("approx-prefix-cache-producer: the capacity follows the engine's cache") {
    Fixture f(R"({"lruCapacityPerServer": 3})");
    f.show_cache(0, 8, 16);  // 128 tokens are two blocks
    f.record(0, {text_of("x", 5)});
    CHECK(f.blocks(0) == 2);
    f.record(1, {text_of("x", 5)});
    CHECK(f.blocks(1) == 3);

    f.show_cache(0, 16, 16);
    f.record(0, {text_of("x", 5)});
    CHECK(f.blocks(0) == 4);
    f.show_cache(0, 4, 16);
    CHECK(f.matches({text_of("x", 5)}) == "1/5 3/5 0/5");
    CHECK(f.blocks(0) == 1);
}

TEST_CASE("approx-prefix-cache-producer: a size that says nothing changes nothing") {
    struct Row {
        const char* name = "";
        const char* parameters = "{}";
        std::optional<std::uint64_t> count;
        std::optional<std::uint32_t> tokens;
    };
    const char* const three = R"({"lruCapacityPerServer": 3})";
    const Row rows[] = {
        {"no count", three, {}, 16},
        {"no block size", three, 8, {}},
        {"nothing", three, 0, 16},
        {"less than a block", three, 3, 16},
        {"not followed", R"({"lruCapacityPerServer": 3, "autoTune": false})", 8, 16},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        Fixture f(row.parameters);
        f.show_cache(0, row.count, row.tokens);
        f.record(0, {text_of("x", 5)});
        CHECK(f.blocks(0) == 3);
    }
}

TEST_CASE("approx-prefix-cache-producer: an absurd size does not overflow") {
    Fixture f;
    f.show_cache(0, std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::uint32_t>::max());
    f.record(0, {text_of("x", 5)});
    CHECK(f.blocks(0) == 5);
}

TEST_CASE("approx-prefix-cache-producer: a pick that is taken back leaves what was held before") {
    Fixture f;
    f.record(0, {text_of("x", 2)});
    const InferenceRequest request = f.record(0, {text_of("x", 5)});
    CHECK(f.matches({text_of("x", 5)}) == "5/5 0/5 0/5");
    f.producer->on_unpicked(request, f.fleet.endpoint(0));
    CHECK(f.matches({text_of("x", 5)}) == "2/5 0/5 0/5");
    CHECK(f.blocks(0) == 2);

    InferenceRequest retried = f.prepared({text_of("x", 5)});
    f.producer->on_picked(retried, f.fleet.endpoint(1));
    CHECK(f.matches({text_of("x", 5)}) == "2/5 5/5 0/5");
}

TEST_CASE("approx-prefix-cache-producer: each prompt of a pick that is taken back keeps its own share") {
    Fixture f;
    f.record(0, {text_of("x", 1)});
    f.record(0, {text_of("y", 3)});
    const InferenceRequest request = f.record(0, {text_of("x", 4), text_of("y", 4), text_of("z", 2)});
    f.producer->on_unpicked(request, f.fleet.endpoint(0));
    CHECK(f.matches({text_of("x", 4)}) == "1/4 0/4 0/4");
    CHECK(f.matches({text_of("y", 4)}) == "3/4 0/4 0/4");
    CHECK(f.matches({text_of("z", 2)}) == "0/2 0/2 0/2");
    CHECK(f.blocks(0) == 4);
}

TEST_CASE("approx-prefix-cache-producer: a pick that was never made has nothing to take back") {
    Fixture f;
    f.record(0, {text_of("x", 2)});
    f.producer->on_unpicked(f.prepared({text_of("x", 2)}), f.fleet.endpoint(0));
    CHECK(f.blocks(0) == 2);
}

TEST_CASE("approx-prefix-cache-producer: an endpoint that is gone leaves nothing behind") {
    Fixture f(R"({"lruCapacityPerServer": 4})");
    f.show_cache(0, 8, 16);
    f.record(0, {text_of("x", 2)});
    f.record(1, {text_of("x", 2)});
    f.producer->forget(f.fleet.endpoint(0));
    f.show_cache(0, {}, {});
    CHECK(f.matches({text_of("x", 2)}) == "0/2 2/2 0/2");
    CHECK(f.blocks(0) == 0);
    f.record(0, {text_of("y", 9)});
    CHECK(f.blocks(0) == 4);
}

TEST_CASE("approx-prefix-cache-producer: chains are keyed with a secret that replicas may share") {
    const auto hashes = [](const char* parameters) {
        return Fixture(parameters).prepared({text_of("x", 2)}).block_hashes;
    };
    const char* const secret = R"({"hashSecret": "abc"})";
    CHECK(hashes(secret) == hashes(secret));
    CHECK(hashes(secret) != hashes(R"({"hashSecret": "abd"})"));
    CHECK(hashes("{}") != hashes("{}"));
}

TEST_CASE("approx-prefix-cache-producer: parameters are checked") {
    struct Row {
        const char* parameters;
        std::string complaint;
    };
    const Row rows[] = {
        {R"({"autoTune": true, "blockSizeTokens": 16, "maxPrefixTokensToMatch": 131072, "maxPrefixBlocksToMatch": 2048,
             "lruCapacityPerServer": 31250, "hashSecret": "x"})",
         ""},
        {R"({"autoTune": false, "blockSizeTokens": 0})",
         "parameters.blockSizeTokens: must be at least 1 when autoTune is off"},
        {R"({"blockSizeTokens": -1})", "parameters.blockSizeTokens: must be between 0 and 65536"},
        {R"({"maxPrefixTokensToMatch": -1})",
         "parameters.maxPrefixTokensToMatch: must be between 0 and 4294967295"},
        {R"({"maxPrefixBlocksToMatch": -1})",
         "parameters.maxPrefixBlocksToMatch: must be between 0 and 4294967295"},
        {R"({"lruCapacityPerServer": 0})", "parameters.lruCapacityPerServer: must be between 1 and 4194304"},
        {R"({"hashSecret": ""})", "parameters.hashSecret: must be a string that is not empty"},
        {R"({"lruCapacityPerSever": 9})",
         "parameters.lruCapacityPerSever: unknown key 'lruCapacityPerSever'; did you mean "
         "'lruCapacityPerServer'?"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.parameters);
        CHECK(test::complaint("approx-prefix-cache-producer", row.parameters) == row.complaint);
    }
    CHECK(test::make_plugin<routing::DataProducer>("approx-prefix-cache-producer")->gives_prefix_match());
}

}  // namespace warmlane::plugins
