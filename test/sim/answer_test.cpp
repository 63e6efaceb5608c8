#include "sim/answer.hpp"

#include "sim/chat_template.hpp"
#include "sim/schema_value.hpp"
#include "sim/tokenizer.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

namespace warmlane::sim {
namespace {

const std::vector<Token> kPrompt = tokenize("What is a warm lane?");

AnswerRequest text_request() {
    return {.prompt = kPrompt, .tokens_max = std::nullopt, .default_tokens = 64, .room = 1'000};
}

}  // namespace

TEST_CASE("answer: its tokens are those of its text, also inside a later prompt") {
    AnswerRequest request = text_request();
    request.tokens_max = 200;
    const Answer answer = plan_answer(request);
    REQUIRE(answer.tokens.size() == 200);
    CHECK(tokenize(answer.text()) == answer.tokens);
    const std::vector<Token> opening = tokenize(kAnswerOpening);
    const std::vector<Token> later = tokenize(std::string(kAnswerOpening) + answer.text() + "<|im_end|>\n");
    REQUIRE(later.size() > opening.size() + 200);
    CHECK(std::equal(opening.begin(), opening.end(), later.begin()));
    CHECK(std::equal(
        answer.tokens.begin(),
        answer.tokens.end(),
        later.begin() + static_cast<std::ptrdiff_t>(opening.size())
    ));
}

TEST_CASE("answer: length and reason follow what was asked for") {
    struct Row {
        const char* name = "";
        std::optional<std::uint32_t> tokens_max;
        bool ignore_eos = false;
        std::uint32_t room = 0;
        std::size_t min = 0;
        std::size_t max = 0;
        StopReason reason = StopReason::stop;
    };
    const Row rows[] = {
        {"no limit: it stops by itself, early", {}, false, 1'000, 32, 63, StopReason::stop},
        {"no limit and no stop", {}, true, 1'000, 64, 64, StopReason::length},
        {"a limit", 5, false, 1'000, 5, 5, StopReason::length},
        {"a limit beyond the context", 500, false, 20, 20, 20, StopReason::length},
        {"no limit, no room", {}, false, 7, 7, 7, StopReason::length},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        AnswerRequest request = text_request();
        request.tokens_max = row.tokens_max;
        request.ignore_eos = row.ignore_eos;
        request.room = row.room;
        const Answer answer = plan_answer(request);
        CHECK(answer.tokens.size() >= row.min);
        CHECK(answer.tokens.size() <= row.max);
        CHECK(answer.pieces.size() == answer.tokens.size());
        CHECK(answer.stop_reason == row.reason);
    }
}

TEST_CASE("answer: equal requests get equal answers, other prompts and seeds other ones") {
    AnswerRequest request = text_request();
    const std::string text = plan_answer(request).text();
    CHECK(plan_answer(request).text() == text);
    request.seed = 1;
    CHECK(plan_answer(request).text() != text);
    request.seed = 0;
    const std::vector<Token> other = tokenize("What is a cold lane?");
    request.prompt = other;
    CHECK(plan_answer(request).text() != text);
}

TEST_CASE("answer: a tool call fits its schema, and its pieces are the arguments alone") {
    const boost::json::value tool = boost::json::parse(R"({
        "name": "get_weather",
        "parameters": {"type": "object", "properties": {
            "city": {"type": "string"}, "unit": {"type": "string", "enum": ["celsius", "fahrenheit"]},
            "days": {"type": "integer"}, "exact": {"type": "boolean"},
            "spots": {"type": "array", "items": {"type": "object", "properties": {"x": {"type": "number"}}}}}}})"
    );
    AnswerRequest request = text_request();
    request.function = &tool.get_object();
    const Answer answer = plan_answer(request);
    const ToolCall call = answer.tool_call.value_or(ToolCall{});
    CHECK(call.name == "get_weather");
    CHECK(answer.stop_reason == StopReason::tool_calls);
    CHECK(answer.text() == call.arguments);
    CHECK(answer.tokens == tokenize(render_tool_call(call)));
    const boost::json::value arguments = boost::json::parse(answer.text());
    CHECK(arguments.at("city").is_string());
    const std::string unit(arguments.at("unit").as_string());
    CHECK((unit == "celsius" || unit == "fahrenheit"));
    CHECK(arguments.at("days").is_number());
    CHECK(arguments.at("exact").is_bool());
    CHECK(arguments.at("spots").at(0).at("x").is_double());
}

TEST_CASE("answer: a schema without end is cut") {
    boost::json::value schema = boost::json::parse(R"({"type":"string"})");
    for (int i = 0; i < 20; ++i) {
        boost::json::object outer{{"type", "array"}};
        outer["items"] = std::move(schema);
        schema = std::move(outer);
    }
    const std::string text = boost::json::serialize(value_of_schema(schema, 1));
    CHECK(text == "[[[[[[[[[null]]]]]]]]]");
}

TEST_CASE("chat template: a longer conversation continues the bytes of the shorter one and its answer") {
    std::vector<ChatMessage> messages = {
        {.role = "system", .content = "Be brief."},
        {.role = "user", .content = "Hello"},
    };
    const std::string first = render_chat(messages, {});
    CHECK(
        first ==
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n"
    );
    messages.push_back({.role = "assistant", .content = "Hi there"});
    messages.push_back({.role = "user", .content = "Bye"});
    CHECK(render_chat(messages, {}).starts_with(first + "Hi there<|im_end|>\n<|im_start|>user\nBye"));
}

TEST_CASE("chat template: tools stand in the system message, calls and results in their notation") {
    const boost::json::array tools = boost::json::parse(R"([{"type":"function"}])").as_array();
    const std::vector<ChatMessage> messages = {
        {.role = "user", .content = "Weather?"},
        {.role = "assistant", .tool_calls = {{"get", R"({"a":1})"}}},
        {.role = "tool", .content = "sunny"},
    };
    const std::string text = render_chat(messages, tools);
    CHECK(text.find("<tools>\n{\"type\":\"function\"}\n</tools>") < text.find("<|im_start|>user"));
    CHECK(
        text.find("<|im_start|>assistant\n<tool_call>\n{\"name\": \"get\", \"arguments\": {\"a\":1}}\n"
                  "</tool_call><|im_end|>\n") != std::string::npos
    );
    CHECK(
        text.find("<|im_start|>user\n<tool_response>\nsunny\n</tool_response><|im_end|>\n") !=
        std::string::npos
    );
}

TEST_CASE("chat template: a medium is as many words as an encoder makes tokens, by its contents") {
    const std::string placeholder = media_placeholder("image", "https://a/b.png");
    CHECK(placeholder == media_placeholder("image", "https://a/b.png"));
    CHECK(placeholder != media_placeholder("image", "https://a/c.png"));
    CHECK(tokenize(placeholder).size() > 64);
}

}  // namespace warmlane::sim
