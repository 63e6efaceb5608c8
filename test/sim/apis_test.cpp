#include "handler_bench.hpp"

#include <boost/json/value.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <cstring>

namespace warmlane::sim::test {

namespace json = boost::json;

namespace {

std::vector<float> floats_of_base64(std::string_view digits) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned count = 0;
    for (const char digit : digits.substr(0, digits.find('='))) {
        bits = bits << 6U | static_cast<std::uint32_t>(kDigits.find(digit));
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>(bits >> count & 0xFFU);
        }
    }
    std::vector<float> floats(bytes.size() / sizeof(float));
    std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
    return floats;
}

}  // namespace

TEST_CASE("handler: prompts of a text completion come as text, texts, tokens and lists of tokens") {
    struct Row {
        const char* name;
        const char* prompt;
        std::size_t choices;
        std::uint64_t prompt_tokens;
    };
    const Row rows[] = {
        {"text", R"("the quick fox")", 1, 3},
        {"texts", R"(["the quick fox","the dog"])", 2, 5},
        {"tokens", "[1,2,3,4]", 1, 4},
        {"lists of tokens", "[[1,2,3],[4,5]]", 2, 5},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        HandlerBench bench;
        const json::value answer =
            bench.ask("POST", "/v1/completions", fmt::format(R"({{"prompt":{},"max_tokens":2}})", row.prompt))
                .json();
        CHECK(answer.at("object").as_string() == "text_completion");
        CHECK(answer.at("choices").as_array().size() == row.choices);
        CHECK(number(answer.at("usage").at("prompt_tokens")) == row.prompt_tokens);
        CHECK(number(answer.at("usage").at("completion_tokens")) == 2 * row.choices);
    }
}

TEST_CASE("handler: several choices share one prompt, which counts once, and stream side by side") {
    HandlerBench bench;
    const Reply reply = bench.ask(
        "POST",
        "/v1/completions",
        R"({"prompt":"the quick fox","n":2,"max_tokens":2,"stream":true,"stream_options":{"include_usage":true}})"
    );
    std::array<std::string, 2> texts;
    std::uint64_t prompt_tokens = 0;
    for (const std::string& chunk : reply.chunks()) {
        if (!chunk.starts_with("data: {")) {
            continue;
        }
        const json::value event = event_json(chunk);
        if (event.at("choices").as_array().empty()) {
            prompt_tokens = number(event.at("usage").at("prompt_tokens"));
            continue;
        }
        const json::value& choice = event.at("choices").at(0);
        texts.at(number(choice.at("index"))) += choice.at("text").as_string();
    }
    CHECK_FALSE(texts[0].empty());
    CHECK(texts[0] != texts[1]);
    CHECK(prompt_tokens == 3);
}

TEST_CASE("handler: Anthropic's messages tell cached tokens beside the input, whole and streamed") {
    HandlerBench bench;
    const std::string body = fmt::format(
        R"({{"max_tokens":3,"system":"Be brief.","messages":[{{"role":"user","content":"{}"}}]}})",
        std::string(300, 'x')
    );
    const json::value first = bench.ask("POST", "/v1/messages", body).json();
    CHECK(first.at("type").as_string() == "message");
    CHECK(first.at("content").at(0).at("type").as_string() == "text");
    CHECK(first.at("stop_reason").as_string() == "max_tokens");
    CHECK(number(first.at("usage").at("output_tokens")) == 3);
    const std::uint64_t input = number(first.at("usage").at("input_tokens"));
    const Reply reply =
        bench.ask("POST", "/v1/messages", body.substr(0, body.size() - 1) + R"(,"stream":true})");
    const std::vector<std::string> chunks = reply.chunks();
    CHECK(
        event_names(chunks) ==
        "message_start content_block_start content_block_delta content_block_delta content_block_delta "
        "content_block_stop message_delta message_stop "
    );
    const json::value start = event_json(chunks.front());
    const json::value& usage = start.at("message").at("usage");
    const std::uint64_t cached = number(usage.at("cache_read_input_tokens"));
    CHECK(cached == (input - 1) / 16 * 16);
    CHECK(cached + number(usage.at("input_tokens")) == input);
}

TEST_CASE("handler: Anthropic's errors have Anthropic's shape") {
    HandlerBench bench;
    const json::value error = bench.ask("POST", "/v1/messages", R"({"messages":[]})").json();
    CHECK(error.at("type").as_string() == "error");
    CHECK(error.at("error").at("type").as_string() == "invalid_request_error");
}

TEST_CASE("handler: a response streams numbered, named events and can be asked for and continued") {
    HandlerBench bench;
    const std::string input(300, 'x');
    const Reply reply = bench.ask(
        "POST", "/v1/responses", fmt::format(R"({{"input":"{}","max_output_tokens":2,"stream":true}})", input)
    );
    const std::vector<std::string> chunks = reply.chunks();
    REQUIRE(chunks.size() == 11);
    for (std::size_t i = 0; i < 10; ++i) {
        CHECK(number(event_json(chunks[i]).at("sequence_number")) == i);
    }
    const json::value last = event_json(chunks[9]);
    CHECK(
        event_names(chunks) ==
        "response.created response.in_progress response.output_item.added response.content_part.added "
        "response.output_text.delta response.output_text.delta response.output_text.done "
        "response.content_part.done response.output_item.done response.incomplete "
    );
    const std::string id(last.at("response").at("id").as_string());
    const json::value stored = bench.ask("GET", "/v1/responses/" + id).json();
    CHECK(stored == last.at("response"));
    const json::value next =
        bench
            .ask(
                "POST", "/v1/responses", fmt::format(R"({{"input":"go on","previous_response_id":"{}"}})", id)
            )
            .json();
    const std::uint64_t computed = number(stored.at("usage").at("total_tokens")) - 1;
    CHECK(number(next.at("usage").at("input_tokens_details").at("cached_tokens")) == computed / 16 * 16);
    CHECK(next.at("status").as_string() == "completed");
    CHECK(bench.ask("GET", "/v1/responses/resp_unknown").status == 404);
}

TEST_CASE("handler: embeddings are unit vectors that depend on their text, as numbers and as base64") {
    HandlerBench bench;
    const json::value answer =
        bench.ask("POST", "/v1/embeddings", R"({"input":["one","two","one"],"dimensions":8})").json();
    REQUIRE(answer.at("data").as_array().size() == 3);
    const json::array& vector = answer.at("data").at(0).at("embedding").as_array();
    REQUIRE(vector.size() == 8);
    double squares = 0;
    for (const json::value& value : vector) {
        squares += value.to_number<double>() * value.to_number<double>();
    }
    CHECK(squares == doctest::Approx(1.0));
    CHECK(answer.at("data").at(2).at("embedding") == answer.at("data").at(0).at("embedding"));
    CHECK(answer.at("data").at(1).at("embedding") != answer.at("data").at(0).at("embedding"));
    CHECK(number(answer.at("usage").at("completion_tokens")) == 0);
    const json::value encoded =
        bench.ask("POST", "/v1/embeddings", R"({"input":"one","dimensions":8,"encoding_format":"base64"})")
            .json();
    const std::string digits(encoded.at("data").at(0).at("embedding").as_string());
    const std::vector<float> floats = floats_of_base64(digits);
    REQUIRE(floats.size() == 8);
    for (std::size_t i = 0; i < floats.size(); ++i) {
        CHECK(floats[i] == doctest::Approx(vector[i].to_number<double>()));
    }
}

TEST_CASE("handler: a tool's result is a message of its own in every API, and ends the calling") {
    struct Row {
        const char* name;
        const char* path;
        const char* body;
        const char* stop_path;
        const char* stop;
    };
    const Row rows[] = {
        {"Anthropic: the user names the tool",
         "/v1/messages",
         R"({"max_tokens":500,"tools":[{"name":"get_time","input_schema":{"type":"object"}}],
             "messages":[{"role":"user","content":"get_time please"}]})",
         "/stop_reason",
         "tool_use"},
        {"Anthropic: the result is there",
         "/v1/messages",
         R"({"max_tokens":5,"tools":[{"name":"get_time","input_schema":{"type":"object"}}],
             "messages":[{"role":"user","content":"get_time please"},
               {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"get_time","input":{}}]},
               {"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"noon"}]}]})",
         "/stop_reason",
         "max_tokens"},
        {"Responses: the user names the tool",
         "/v1/responses",
         R"({"tools":[{"type":"function","name":"get_time"}],"input":"get_time please"})",
         "/output/0/type",
         "function_call"},
        {"Responses: the result is there",
         "/v1/responses",
         R"({"tools":[{"type":"function","name":"get_time"}],"input":[{"role":"user","content":"get_time please"},
             {"type":"function_call","call_id":"c","name":"get_time","arguments":"{}"},
             {"type":"function_call_output","call_id":"c","output":"noon"}]})",
         "/output/0/type",
         "message"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        HandlerBench bench;
        const json::value answer = bench.ask("POST", row.path, row.body).json();
        CHECK(answer.at_pointer(row.stop_path).as_string() == row.stop);
    }
}

}  // namespace warmlane::sim::test
