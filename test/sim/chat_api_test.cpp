#include "handler_bench.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

namespace warmlane::sim::test {

namespace json = boost::json;

TEST_CASE("handler: a chat completion has vLLM's shape, and tells what was cached the second time") {
    HandlerBench bench;
    const std::string text(400, 'x');
    const json::value first = bench.ask("POST", kChat, chat_body(text, R"(,"max_tokens":5)")).json();
    CHECK(first.at("object").as_string() == "chat.completion");
    CHECK(first.at("model").as_string() == "warmlane-sim");
    CHECK(first.at("choices").at(0).at("finish_reason").as_string() == "length");
    CHECK(first.at("choices").at(0).at("message").at("role").as_string() == "assistant");
    const json::value& usage = first.at("usage");
    CHECK(number(usage.at("completion_tokens")) == 5);
    CHECK(number(usage.at("prompt_tokens")) + 5 == number(usage.at("total_tokens")));
    CHECK(number(usage.at("prompt_tokens_details").at("cached_tokens")) == 0);

    const json::value second = bench.ask("POST", kChat, chat_body(text, R"(,"max_tokens":5)")).json();
    const std::uint64_t prompt_tokens = number(second.at("usage").at("prompt_tokens"));
    CHECK(
        number(second.at("usage").at("prompt_tokens_details").at("cached_tokens")) ==
        (prompt_tokens - 1) / 16 * 16
    );
    CHECK(second.at("choices").at(0).at("message") == first.at("choices").at(0).at("message"));
    CHECK(second.at("id") != first.at("id"));
}

TEST_CASE("handler: a chat stream is one chunk an event: role, tokens, reason, usage, done") {
    HandlerBench bench;
    Question question;
    question.target = kChat;
    question.body =
        chat_body("hi", R"(,"max_tokens":3,"stream":true,"stream_options":{"include_usage":true})");
    question.fields = {{"x-request-id", "abc-1"}, {"content-type", "application/json; charset=utf-8"}};
    const Reply reply = bench.ask(question);
    CHECK(reply.status == 200);
    CHECK(reply.complete);
    CHECK(reply.head_lines.starts_with("Content-Type: text/event-stream; charset=utf-8\r\n"));
    const std::vector<std::string> chunks = reply.chunks();
    REQUIRE(chunks.size() == 8);
    const std::string opening = chunks[0].substr(0, chunks[0].find(R"(,"choices")"));
    CHECK(opening.starts_with(R"(data: {"id":"chatcmpl-abc-1","object":"chat.completion.chunk","created":)"));
    CHECK(opening.ends_with(R"(,"model":"warmlane-sim")"));
    const auto delta = [&opening](std::string_view content, std::string_view reason) {
        return fmt::format(
            R"({},"choices":[{{"index":0,"delta":{},"logprobs":null,"finish_reason":{}}}]}})"
            "\n\n",
            opening,
            content,
            reason
        );
    };
    CHECK(chunks[0] == delta(R"({"role":"assistant","content":""})", "null"));
    const json::value token = event_json(chunks[2]);
    const std::string word(token.at("choices").at(0).at("delta").at("content").as_string());
    CHECK(word.starts_with(' '));
    CHECK(chunks[2] == delta(fmt::format(R"({{"content":"{}"}})", word), "null"));
    CHECK(chunks[4] == delta("{}", R"("length","stop_reason":null)"));
    const json::value usage = event_json(chunks[5]).at("usage");
    CHECK(number(usage.at("completion_tokens")) == 3);
    CHECK(
        chunks[5] ==
        fmt::format(
            R"({},"choices":[],"usage":{{"prompt_tokens":{},"total_tokens":{},"completion_tokens":3,)"
            R"("prompt_tokens_details":{{"cached_tokens":0}}}}}})"
            "\n\n",
            opening,
            number(usage.at("prompt_tokens")),
            number(usage.at("prompt_tokens")) + 3
        )
    );
    CHECK(chunks[6] == "data: [DONE]\n\n");
    CHECK(chunks[7].empty());
}

TEST_CASE("handler: a client of HTTP/1.0 gets the events without chunks") {
    HandlerBench bench;
    Question question;
    question.target = kChat;
    question.body = chat_body("hi", R"(,"max_tokens":1,"stream":true)");
    question.minor_version = 0;
    const Reply reply = bench.ask(question);
    CHECK(reply.wire.starts_with("data: {"));
    CHECK(reply.wire.ends_with("\n\ndata: [DONE]\n\n"));
}

TEST_CASE("handler: a conversation that grows by its own answer finds the answer's blocks too") {
    HandlerBench bench;
    const std::string question(200, 'q');
    const json::value first = bench.ask("POST", kChat, chat_body(question, R"(,"max_tokens":100)")).json();
    const std::string answer(first.at("choices").at(0).at("message").at("content").as_string());
    const std::string body = fmt::format(
        R"({{"messages":[{{"role":"user","content":"{}"}},{{"role":"assistant","content":"{}"}},)"
        R"({{"role":"user","content":"and then?"}}],"max_tokens":1}})",
        question,
        answer
    );
    const json::value second = bench.ask("POST", kChat, body).json();
    const std::uint64_t computed = number(first.at("usage").at("total_tokens")) - 1;
    CHECK(number(second.at("usage").at("prompt_tokens_details").at("cached_tokens")) == computed / 16 * 16);
}

TEST_CASE("handler: a tool call is streamed as a name and pieces of arguments") {
    HandlerBench bench;
    const std::string tools =
        R"(,"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object",)"
        R"("properties":{"city":{"type":"string"}}}}}])";
    const json::value whole = bench.ask("POST", kChat, chat_body("please get_weather now", tools)).json();
    const json::value& call = whole.at("choices").at(0).at("message").at("tool_calls").at(0);
    CHECK(whole.at("choices").at(0).at("finish_reason").as_string() == "tool_calls");
    CHECK(call.at("function").at("name").as_string() == "get_weather");

    const Reply reply =
        bench.ask("POST", kChat, chat_body("please get_weather now", tools + R"(,"stream":true)"));
    std::string arguments;
    std::string names;
    for (const std::string& chunk : reply.chunks()) {
        if (chunk.find("tool_calls\":[") != std::string::npos) {
            const json::value event = event_json(chunk);
            const json::value& function =
                event.at("choices").at(0).at("delta").at("tool_calls").at(0).at("function");
            arguments += function.at("arguments").as_string();
            names += function.as_object().contains("name") ? function.at("name").as_string() : "";
        }
    }
    CHECK(names == "get_weather");
    CHECK(arguments == call.at("function").at("arguments").as_string());
    CHECK(json::parse(arguments).at("city").is_string());
}

TEST_CASE("handler: whether a tool is called follows tool_choice") {
    struct Row {
        const char* name;
        const char* text;
        const char* choice;
        const char* reason;
    };
    const Row rows[] = {
        {"left to itself, not named", "hello", R"("auto")", "stop"},
        {"left to itself, named", "call beta", R"("auto")", "tool_calls"},
        {"forbidden", "call beta", R"("none")", "stop"},
        {"required", "hello", R"("required")", "tool_calls"},
        {"a certain one", "hello", R"({"type":"function","function":{"name":"beta"}})", "tool_calls"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        HandlerBench bench;
        const std::string more = fmt::format(
            R"(,"tool_choice":{},"tools":[{{"type":"function","function":{{"name":"beta"}}}}])", row.choice
        );
        const json::value answer = bench.ask("POST", kChat, chat_body(row.text, more)).json();
        CHECK(answer.at("choices").at(0).at("finish_reason").as_string() == row.reason);
    }
}

TEST_CASE(
    "handler: content comes as text, as parts and as null, and a medium's contents are part of the prompt"
) {
    const auto prompt_tokens = [](HandlerBench& bench, std::string_view content) {
        const std::string body =
            fmt::format(R"({{"messages":[{{"role":"user","content":{}}}],"max_tokens":1}})", content);
        return bench.ask("POST", kChat, body).json().at("usage");
    };
    HandlerBench bench;
    const std::uint64_t none = number(prompt_tokens(bench, "null").at("prompt_tokens"));
    const std::uint64_t text = number(prompt_tokens(bench, R"("the quick fox")").at("prompt_tokens"));
    CHECK(text == none + 3);
    const std::string_view parts = R"([{"type":"text","text":"the quick"},{"type":"text","text":" fox"}])";
    CHECK(number(prompt_tokens(bench, parts).at("prompt_tokens")) == text);
    const auto image = [](char name) {
        return fmt::format(R"([{{"type":"image_url","image_url":{{"url":"https://a/{}.png"}}}}])", name);
    };
    const json::value first = prompt_tokens(bench, image('a'));
    CHECK(number(first.at("prompt_tokens")) > none + 64);
    const auto cached = [](const json::value& usage) {
        return number(usage.at("prompt_tokens_details").at("cached_tokens"));
    };
    CHECK(cached(prompt_tokens(bench, image('b'))) < 48);
    CHECK(cached(prompt_tokens(bench, image('a'))) > 64);
}

}  // namespace warmlane::sim::test
