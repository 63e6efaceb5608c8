#include "warmlane/openai/usage_reader.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::openai {

static bool operator==(const Usage& a, const Usage& b) {
    return a.prompt_tokens == b.prompt_tokens && a.completion_tokens == b.completion_tokens &&
           a.cached_tokens == b.cached_tokens;
}

namespace {

using Body = UsageReader::Body;

Usage read(Body body, std::string_view text) {
    UsageReader reader(body);
    reader.feed(text);
    return reader.finish();
}

Usage read_in_steps(Body body, std::string_view text, std::size_t step) {
    UsageReader reader(body);
    for (std::size_t at = 0; at < text.size(); at += step) {
        reader.feed(text.substr(at, step));
    }
    return reader.finish();
}

struct Row {
    const char* name;
    std::string text;
    Usage usage;
};

const std::string kChatStream =
    "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}],\"usage\":null}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"say \\\"usage\\\": {\\\"prompt_tokens\\\":9}\"}}]}\n\n"
    ": a comment with \"usage\":{\"prompt_tokens\":8}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":5,\"total_tokens\":25,"
    "\"prompt_tokens_details\":{\"cached_tokens\":16}}}\n\n"
    "data: [DONE]\n\n";

const std::string kAnthropicStream =
    "event: message_start\r\n"
    "data: "
    "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":4,\"cache_read_input_tokens\":100,"
    "\"cache_creation_input_tokens\":10,\"output_tokens\":1}}}\r\n\r\n"
    "event: ping\r\ndata: {\"type\": \"ping\"}\r\n\r\n"
    "event: message_delta\r\ndata: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":12}}\r\n\r\n"
    "event: message_stop\r\ndata: {\"type\":\"message_stop\"}\r\n\r\n";

}  // namespace

TEST_CASE("usage reader: an answer in one piece of JSON") {
    const Row rows[] = {
        {"chat",
         R"({"choices":[],"usage":{"prompt_tokens":20,"completion_tokens":5,"total_tokens":25}})",
         {20, 5, {}}},
        {"cached tokens",
         R"({"usage": {"prompt_tokens_details": {"audio_tokens":1,"cached_tokens": 16}, "prompt_tokens": 20}})",
         {20, {}, 16}},
        {"details that are null",
         R"({"usage":{"prompt_tokens":20,"prompt_tokens_details":null}})",
         {20, {}, {}}},
        {"responses",
         R"({"usage":{"input_tokens":36,"input_tokens_details":{"cached_tokens":3},"output_tokens":87}})",
         {36, 87, 3}},
        {"Anthropic",
         R"({"usage":{"input_tokens":4,"cache_read_input_tokens":100,"output_tokens":7}})",
         {104, 7, 100}},
        {"Anthropic, nothing cached",
         R"({"usage":{"input_tokens":4,"cache_read_input_tokens":0,"cache_creation_input_tokens":6,"output_tokens":7}})",
         {10, 7, 0}},
        {"zero", R"({"usage":{"prompt_tokens":0,"completion_tokens":0}})", {0, 0, {}}},
        {"what follows it", R"({"usage":{"prompt_tokens":1},"prompt_logprobs":null})", {1, {}, {}}},
        {"the last one wins",
         R"([{"usage":{"prompt_tokens":1,"completion_tokens":1}},{"usage":{"completion_tokens":2}}])",
         {1, 2, {}}},
        {"none", R"({"choices":[]})", {}},
        {"null", R"({"usage":null})", {}},
        {"as a value", R"({"a":"usage","b":{"prompt_tokens":1}})", {}},
        {"inside of a text", R"({"content":"\"usage\":{\"prompt_tokens\":1}"})", {}},
        {"numbers that are not counts",
         R"({"usage":{"prompt_tokens":-1,"completion_tokens":1.5,"prompt_tokens_details":{"cached_tokens":"7"}}})",
         {}},
        {"cut off", R"({"usage":{"prompt_tokens":20,"compl)", {}},
        {"not JSON", "<html>usage</html>", {}},
        {"empty", "", {}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(read(Body::json, row.text) == row.usage);
    }
}

TEST_CASE("usage reader: streams, however their bytes are split") {
    const Row rows[] = {
        {"chat", kChatStream, {20, 5, 16}},
        {"Anthropic", kAnthropicStream, {114, 12, 100}},
        {"no space after the colon", "data:{\"usage\":{\"prompt_tokens\":3}}\n\n", {3, {}, {}}},
        {"usage in every event",
         "data: {\"usage\":{\"completion_tokens\":1}}\n\ndata: {\"usage\":{\"completion_tokens\":2}}\n\n",
         {{}, 2, {}}},
        {"the last line without an end", "data: {\"usage\":{\"prompt_tokens\":3}}", {3, {}, {}}},
        {"other fields",
         "id: {\"usage\":{\"prompt_tokens\":3}}\nerror: {\"usage\":{\"prompt_tokens\":3}}\n\n",
         {}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        for (std::size_t cut = 0; cut <= row.text.size(); ++cut) {
            CAPTURE(cut);
            UsageReader reader(Body::events);
            reader.feed(std::string_view(row.text).substr(0, cut));
            reader.feed(std::string_view(row.text).substr(cut));
            CHECK(reader.finish() == row.usage);
        }
        UsageReader bytes(Body::events);
        for (const char& c : row.text) {
            bytes.feed({&c, 1});
        }
        CHECK(bytes.finish() == row.usage);
    }
}

TEST_CASE("usage reader: the end of a stream is seen") {
    const auto done = [](std::string_view text) {
        UsageReader reader(Body::events);
        reader.feed(text);
        return reader.done_seen();
    };
    CHECK(done("data: [DONE]\n\n"));
    CHECK(done("data:[DONE]\r\n\r\n"));
    CHECK(done(kChatStream));
    CHECK(done(kAnthropicStream));
    CHECK(done("event: response.completed\ndata: {}\n\n"));
    CHECK_FALSE(done("data: [DONE"));
    CHECK_FALSE(done("data: {\"content\":\"[DONE]\"}\n\n"));
    CHECK_FALSE(done(": [DONE]\n\n"));
    CHECK_FALSE(done("event: message_delta\ndata: {}\n\n"));
    CHECK_FALSE(done("data: [DONE]"));

    UsageReader reader(Body::events);
    for (const char& c : kChatStream) {
        reader.feed({&c, 1});
    }
    CHECK(reader.done_seen());
}

TEST_CASE("usage reader: found in answers of any length, at their end, their beginning or their middle") {
    constexpr std::size_t kLengths[] = {0, 10'000, 12'280, 16'370, 16'384, 100'000};
    for (const std::size_t before : kLengths) {
        for (const std::size_t after : kLengths) {
            CAPTURE(before);
            CAPTURE(after);
            const std::string json = R"({"a":")" + std::string(before, 'x') +
                                     R"(","usage":{"prompt_tokens":20,"completion_tokens":5},"b":")" +
                                     std::string(after, 'x') + "\"}";
            const std::string events = "data: " + json + "\n\n";
            for (const std::size_t step : {std::size_t{1'447}, events.size()}) {
                CHECK(read_in_steps(Body::json, json, step) == Usage{20, 5, {}});
                CHECK(read_in_steps(Body::events, events, step) == Usage{20, 5, {}});
            }
        }
    }
}

TEST_CASE("usage reader: a long line that is not data is not read") {
    const std::string comment =
        ": " + std::string(20'000, 'x') + R"("usage":{"prompt_tokens":20})" + std::string(20'000, 'x') + "\n";
    CHECK(read(Body::events, comment) == Usage{});
    CHECK(read(Body::events, comment + "data: {\"usage\":{\"prompt_tokens\":3}}\n") == Usage{3, {}, {}});
}

}  // namespace warmlane::openai
