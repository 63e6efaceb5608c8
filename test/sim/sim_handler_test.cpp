#include "sim/sim_handler.hpp"

#include "fake_exchange.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <numeric>

namespace warmlane::sim::test {
namespace {

namespace json = boost::json;

constexpr std::string_view kChat = "/v1/chat/completions";

std::string chat_body(std::string_view text, std::string_view more = "") {
    return fmt::format(R"({{"messages":[{{"role":"user","content":"{}"}}]{}}})", text, more);
}

/// A server's handler without its sockets; the engine runs so fast that no test waits for it.
class Bench {
public:
    explicit Bench(SimServerOptions options = {}) {
        options.engine.speed = options.engine.speed == 1.0 ? 10'000 : options.engine.speed;
        handler_ = std::make_shared<SimHandler>(
            context_.get_executor(), options, [this](std::chrono::milliseconds time) { refused = time; }
        );
    }
    ~Bench() { handler_->stop(); }
    Bench(const Bench&) = delete;
    Bench& operator=(const Bench&) = delete;

    std::unique_ptr<FakeExchange> make(
        std::string_view method, std::string_view target, std::string body = {}
    ) {
        return std::make_unique<FakeExchange>(context_.get_executor(), method, target, std::move(body));
    }
    void run(FakeExchange& exchange) {
        begin(exchange);
        settle();
    }
    void begin(FakeExchange& exchange) {
        http::asio::co_spawn(context_, handler_->handle(exchange), [](std::exception_ptr failure) {
            CHECK(failure == nullptr);
        });
    }
    void settle() {
        context_.restart();
        context_.run();
    }
    std::unique_ptr<FakeExchange> ask(
        std::string_view method, std::string_view target, std::string body = {}, std::string_view fault = {}
    ) {
        auto exchange = make(method, target, std::move(body));
        if (!fault.empty()) {
            exchange->add_field("x-sim-fault", fault);
        }
        run(*exchange);
        return exchange;
    }
    json::value ask_json(std::string_view method, std::string_view target, std::string body = {}) {
        return json::parse(ask(method, target, std::move(body))->content);
    }

    std::chrono::milliseconds refused{0};

private:
    http::asio::io_context context_{1};
    std::shared_ptr<SimHandler> handler_;
};

std::uint64_t number(const json::value& value) {
    return value.to_number<std::uint64_t>();
}

}  // namespace

TEST_CASE("handler: a chat completion has vLLM's shape, and tells what was cached the second time") {
    Bench bench;
    const std::string text(400, 'x');
    const json::value first = bench.ask_json("POST", kChat, chat_body(text, R"(,"max_tokens":5)"));
    CHECK(first.at("object").as_string() == "chat.completion");
    CHECK(first.at("model").as_string() == "warmlane-sim");
    CHECK(first.at("choices").at(0).at("finish_reason").as_string() == "length");
    CHECK(first.at("choices").at(0).at("message").at("role").as_string() == "assistant");
    const json::value& usage = first.at("usage");
    CHECK(number(usage.at("completion_tokens")) == 5);
    CHECK(number(usage.at("prompt_tokens")) + 5 == number(usage.at("total_tokens")));
    CHECK(number(usage.at("prompt_tokens_details").at("cached_tokens")) == 0);

    const json::value second = bench.ask_json("POST", kChat, chat_body(text, R"(,"max_tokens":5)"));
    const std::uint64_t prompt_tokens = number(second.at("usage").at("prompt_tokens"));
    CHECK(
        number(second.at("usage").at("prompt_tokens_details").at("cached_tokens")) ==
        (prompt_tokens - 1) / 16 * 16
    );
    CHECK(second.at("choices").at(0).at("message") == first.at("choices").at(0).at("message"));
    CHECK(second.at("id") != first.at("id"));
}

TEST_CASE("handler: a chat stream is one chunk an event: role, tokens, reason, usage, done") {
    Bench bench;
    auto exchange = bench.make(
        "POST",
        kChat,
        chat_body("hi", R"(,"max_tokens":3,"stream":true,"stream_options":{"include_usage":true})")
    );
    exchange->add_field("X-Request-Id", "abc-1");
    exchange->add_field("Content-Type", "application/json; charset=utf-8");
    bench.run(*exchange);
    CHECK(exchange->status == 200);
    CHECK(exchange->complete);
    CHECK(exchange->head_lines.starts_with("Content-Type: text/event-stream; charset=utf-8\r\n"));
    const std::vector<std::string> chunks = chunks_of(exchange->wire());
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
    const json::value token = json::parse(std::string_view(chunks[2]).substr(6));
    const std::string word(token.at("choices").at(0).at("delta").at("content").as_string());
    CHECK(word.starts_with(' '));
    CHECK(chunks[2] == delta(fmt::format(R"({{"content":"{}"}})", word), "null"));
    CHECK(chunks[4] == delta("{}", R"("length","stop_reason":null)"));
    const json::value usage = json::parse(std::string_view(chunks[5]).substr(6)).at("usage");
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
    Bench bench;
    auto exchange = bench.make("POST", kChat, chat_body("hi", R"(,"max_tokens":1,"stream":true)"));
    exchange->set_minor_version(0);
    bench.run(*exchange);
    CHECK(exchange->wire().starts_with("data: {"));
    CHECK(exchange->wire().ends_with("\n\ndata: [DONE]\n\n"));
}

TEST_CASE("handler: a conversation that grows by its own answer finds the answer's blocks too") {
    Bench bench;
    const std::string question(200, 'q');
    const json::value first = bench.ask_json("POST", kChat, chat_body(question, R"(,"max_tokens":100)"));
    const std::string answer(first.at("choices").at(0).at("message").at("content").as_string());
    const std::string body = fmt::format(
        R"({{"messages":[{{"role":"user","content":"{}"}},{{"role":"assistant","content":"{}"}},)"
        R"({{"role":"user","content":"and then?"}}],"max_tokens":1}})",
        question,
        answer
    );
    const json::value second = bench.ask_json("POST", kChat, body);
    const std::uint64_t computed = number(first.at("usage").at("total_tokens")) - 1;
    CHECK(number(second.at("usage").at("prompt_tokens_details").at("cached_tokens")) == computed / 16 * 16);
}

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
        Bench bench;
        const json::value answer = bench.ask_json(
            "POST", "/v1/completions", fmt::format(R"({{"prompt":{},"max_tokens":2}})", row.prompt)
        );
        CHECK(answer.at("object").as_string() == "text_completion");
        CHECK(answer.at("choices").as_array().size() == row.choices);
        CHECK(number(answer.at("usage").at("prompt_tokens")) == row.prompt_tokens);
        CHECK(number(answer.at("usage").at("completion_tokens")) == 2 * row.choices);
    }
}

TEST_CASE("handler: several choices share one prompt, which counts once, and stream side by side") {
    Bench bench;
    auto exchange = bench.ask(
        "POST",
        "/v1/completions",
        R"({"prompt":"the quick fox","n":2,"max_tokens":2,"stream":true,"stream_options":{"include_usage":true}})"
    );
    std::array<std::string, 2> texts;
    std::uint64_t prompt_tokens = 0;
    for (const std::string& chunk : chunks_of(exchange->wire())) {
        if (!chunk.starts_with("data: {")) {
            continue;
        }
        const json::value event = json::parse(std::string_view(chunk).substr(6));
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

TEST_CASE("handler: a tool call is streamed as a name and pieces of arguments") {
    Bench bench;
    const std::string tools =
        R"(,"tools":[{"type":"function","function":{"name":"get_weather","parameters":{"type":"object",)"
        R"("properties":{"city":{"type":"string"}}}}}])";
    const json::value whole = bench.ask_json("POST", kChat, chat_body("please get_weather now", tools));
    const json::value& call = whole.at("choices").at(0).at("message").at("tool_calls").at(0);
    CHECK(whole.at("choices").at(0).at("finish_reason").as_string() == "tool_calls");
    CHECK(call.at("function").at("name").as_string() == "get_weather");

    auto exchange =
        bench.ask("POST", kChat, chat_body("please get_weather now", tools + R"(,"stream":true)"));
    std::string arguments;
    std::string names;
    for (const std::string& chunk : chunks_of(exchange->wire())) {
        if (chunk.find("tool_calls\":[") != std::string::npos) {
            const json::value event = json::parse(std::string_view(chunk).substr(6));
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
        Bench bench;
        const std::string more = fmt::format(
            R"(,"tool_choice":{},"tools":[{{"type":"function","function":{{"name":"beta"}}}}])", row.choice
        );
        const json::value answer = bench.ask_json("POST", kChat, chat_body(row.text, more));
        CHECK(answer.at("choices").at(0).at("finish_reason").as_string() == row.reason);
    }
}

TEST_CASE("handler: Anthropic's messages tell cached tokens beside the input, whole and streamed") {
    Bench bench;
    const std::string body = fmt::format(
        R"({{"max_tokens":3,"system":"Be brief.","messages":[{{"role":"user","content":"{}"}}]}})",
        std::string(300, 'x')
    );
    const json::value first = bench.ask_json("POST", "/v1/messages", body);
    CHECK(first.at("type").as_string() == "message");
    CHECK(first.at("content").at(0).at("type").as_string() == "text");
    CHECK(first.at("stop_reason").as_string() == "max_tokens");
    CHECK(number(first.at("usage").at("output_tokens")) == 3);
    const std::uint64_t input = number(first.at("usage").at("input_tokens"));
    auto exchange = bench.ask("POST", "/v1/messages", body.substr(0, body.size() - 1) + R"(,"stream":true})");
    std::string names;
    std::uint64_t cached = 0;
    std::uint64_t fresh = 0;
    for (const std::string& chunk : chunks_of(exchange->wire())) {
        if (!chunk.empty()) {
            names += chunk.substr(7, chunk.find('\n') - 7) + " ";
        }
        if (chunk.starts_with("event: message_start\n")) {
            const json::value event = json::parse(std::string_view(chunk).substr(chunk.find("data: ") + 6));
            cached = number(event.at("message").at("usage").at("cache_read_input_tokens"));
            fresh = number(event.at("message").at("usage").at("input_tokens"));
        }
    }
    CHECK(
        names ==
        "message_start content_block_start content_block_delta content_block_delta content_block_delta "
        "content_block_stop message_delta message_stop "
    );
    CHECK(cached == (input - 1) / 16 * 16);
    CHECK(cached + fresh == input);
}

TEST_CASE("handler: Anthropic's errors have Anthropic's shape") {
    Bench bench;
    const json::value error = bench.ask_json("POST", "/v1/messages", R"({"messages":[]})");
    CHECK(error.at("type").as_string() == "error");
    CHECK(error.at("error").at("type").as_string() == "invalid_request_error");
}

TEST_CASE("handler: a response streams numbered, named events and can be asked for and continued") {
    Bench bench;
    const std::string input(300, 'x');
    auto exchange = bench.ask(
        "POST", "/v1/responses", fmt::format(R"({{"input":"{}","max_output_tokens":2,"stream":true}})", input)
    );
    std::string names;
    std::uint64_t expected = 0;
    json::value last;
    for (const std::string& chunk : chunks_of(exchange->wire())) {
        if (chunk.empty()) {
            continue;
        }
        names += chunk.substr(7, chunk.find('\n') - 7) + " ";
        last = json::parse(std::string_view(chunk).substr(chunk.find("data: ") + 6));
        CHECK(number(last.at("sequence_number")) == expected++);
    }
    CHECK(
        names ==
        "response.created response.in_progress response.output_item.added response.content_part.added "
        "response.output_text.delta response.output_text.delta response.output_text.done "
        "response.content_part.done response.output_item.done response.incomplete "
    );
    const std::string id(last.at("response").at("id").as_string());
    const json::value stored = bench.ask_json("GET", "/v1/responses/" + id);
    CHECK(stored == last.at("response"));
    const json::value next = bench.ask_json(
        "POST", "/v1/responses", fmt::format(R"({{"input":"go on","previous_response_id":"{}"}})", id)
    );
    const std::uint64_t computed = number(stored.at("usage").at("total_tokens")) - 1;
    CHECK(number(next.at("usage").at("input_tokens_details").at("cached_tokens")) == computed / 16 * 16);
    CHECK(next.at("status").as_string() == "completed");
    CHECK(bench.ask("GET", "/v1/responses/resp_unknown")->status == 404);
}

TEST_CASE("handler: embeddings are unit vectors that depend on their text, as numbers and as base64") {
    Bench bench;
    const json::value answer =
        bench.ask_json("POST", "/v1/embeddings", R"({"input":["one","two","one"],"dimensions":8})");
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
    const json::value encoded = bench.ask_json(
        "POST", "/v1/embeddings", R"({"input":"one","dimensions":8,"encoding_format":"base64"})"
    );
    // 32 bytes are 44 digits, of which the last one pads.
    const json::string& digits = encoded.at("data").at(0).at("embedding").as_string();
    CHECK(digits.size() == 44);
    CHECK(digits.back() == '=');
}

TEST_CASE("handler: what is wrong with a request is told in vLLM's shape") {
    struct Row {
        const char* name;
        const char* method;
        const char* path;
        std::string body;
        unsigned status;
        const char* message;
    };
    const Row rows[] = {
        {"no JSON", "POST", "/v1/completions", "{", 400, "The body is no JSON object."},
        {"another model",
         "POST",
         "/v1/completions",
         R"({"model":"x","prompt":"a"})",
         404,
         "The model `x` does not exist."},
        {"no prompt", "POST", "/v1/completions", "{}", 400, "prompt: Field required"},
        {"an empty prompt", "POST", "/v1/completions", R"({"prompt":""})", 400, "The prompt is empty."},
        {"no messages",
         "POST",
         "/v1/chat/completions",
         R"({"messages":[]})",
         400,
         "messages: Field required: at least one message"},
        {"a negative limit",
         "POST",
         "/v1/completions",
         R"({"prompt":"a","max_tokens":0})",
         400,
         "max_tokens: Input should be between 1 and 4294967295"},
        {"a text as a flag",
         "POST",
         "/v1/completions",
         R"({"prompt":"a","stream":"yes"})",
         400,
         "stream: Input should be a valid boolean"},
        {"a tool that is not there",
         "POST",
         "/v1/chat/completions",
         chat_body("a", R"(,"tool_choice":{"type":"function","function":{"name":"f"}})"),
         400,
         "tool_choice: no tool has that name"},
        {"too long",
         "POST",
         "/v1/completions",
         R"({"prompt":"a","max_tokens":40000})",
         400,
         "This model's maximum context length is 32768 tokens. However, your request has 1 input tokens. "
         "Please "
         "reduce the length of the input messages."},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        Bench bench;
        auto exchange = bench.ask(row.method, row.path, row.body);
        CHECK(exchange->status == row.status);
        const json::value error = json::parse(exchange->content).at("error");
        CHECK(error.at("message").as_string() == row.message);
        CHECK(number(error.at("code")) == row.status);
        CHECK(error.at("type").as_string() == (row.status == 404 ? "NotFoundError" : "BadRequestError"));
    }
}

TEST_CASE("handler: paths and methods that do not exist get FastAPI's answers") {
    Bench bench;
    CHECK(bench.ask("GET", "/nothing")->status == 404);
    CHECK(bench.ask("GET", "/nothing")->content == R"({"detail":"Not Found"})");
    CHECK(bench.ask("POST", "/metrics")->status == 405);
    CHECK(bench.ask("GET", kChat)->status == 405);
}

TEST_CASE("handler: a body that is too large or not JSON by name is refused") {
    SimServerOptions options;
    options.body_bytes_max = 10;
    Bench small(options);
    CHECK(small.ask("POST", "/v1/completions", R"({"prompt":"abc"})")->status == 413);
    Bench bench;
    auto exchange = bench.make("POST", "/v1/completions", R"({"prompt":"abc"})");
    exchange->add_field("content-type", "application/x-www-form-urlencoded");
    bench.run(*exchange);
    CHECK(exchange->status == 400);
}

TEST_CASE("handler: a full queue answers 429 with Retry-After, also to a stream") {
    SimServerOptions options;
    options.engine.running_max = 1;
    options.engine.waiting_max = 1;
    Bench bench(options);
    auto first = bench.make("POST", kChat, chat_body("one"));
    auto second = bench.make("POST", kChat, chat_body("two", R"(,"stream":true)"));
    bench.begin(*first);
    bench.begin(*second);
    bench.settle();
    CHECK(first->status == 200);
    CHECK(second->status == 429);
    CHECK(second->value_of("Retry-After") == "1");
}

TEST_CASE("handler: a client that leaves is aborted, and both pages say so") {
    SimServerOptions options;
    options.engine.speed = 100;
    Bench bench(options);
    auto exchange = bench.make("POST", kChat, chat_body("hi", R"(,"max_tokens":1000,"stream":true)"));
    exchange->leave_after_writes(3);
    bench.run(*exchange);
    CHECK_FALSE(exchange->complete);
    const json::value state = bench.ask_json("GET", "/sim/state");
    CHECK(number(state.at("aborted_requests")) == 1);
    CHECK(number(state.at("running")) == 0);
    CHECK(
        bench.ask("GET", "/metrics")
            ->content.find(R"(sim_aborted_requests_total{engine="0",model_name="warmlane-sim"} 1.0)") !=
        std::string::npos
    );
}

TEST_CASE("handler: models, health, version and tokens") {
    SimServerOptions options;
    options.model = "org/model";
    Bench bench(options);
    const json::value models = bench.ask_json("GET", "/v1/models");
    CHECK(models.at("data").at(0).at("id").as_string() == "org/model");
    CHECK(number(models.at("data").at(0).at("max_model_len")) == 32'768);
    CHECK(bench.ask("GET", "/health")->status == 200);
    CHECK(bench.ask("GET", "/health")->content.empty());
    CHECK(bench.ask_json("GET", "/version").at("version").is_string());
    const json::value tokens = bench.ask_json("POST", "/tokenize", R"({"prompt":"the quick fox"})");
    CHECK(number(tokens.at("count")) == 3);
    CHECK(tokens.at("tokens").as_array().size() == 3);
    CHECK(number(bench.ask_json("POST", "/tokenize", chat_body("hi")).at("count")) > 10);
}

TEST_CASE("handler: while the model loads, health and requests answer 503") {
    SimServerOptions options;
    options.startup = std::chrono::hours{1};
    Bench bench(options);
    CHECK(bench.ask("GET", "/health")->status == 503);
    CHECK(bench.ask("POST", kChat, chat_body("hi"))->status == 503);
    CHECK(bench.ask("GET", "/sim/state")->status == 200);
}

TEST_CASE("handler: the prefix cache can be reset, and cached tokens can be left out") {
    SimServerOptions options;
    options.report_cached_tokens = false;
    Bench bench(options);
    const std::string body = chat_body(std::string(300, 'x'));
    CHECK_FALSE(bench.ask_json("POST", kChat, body).at("usage").as_object().contains("prompt_tokens_details")
    );
    CHECK(number(bench.ask_json("GET", "/sim/state").at("cached_blocks")) > 0);
    CHECK(bench.ask("POST", "/reset_prefix_cache")->status == 200);
    CHECK(number(bench.ask_json("GET", "/sim/state").at("cached_blocks")) == 0);
}

TEST_CASE("handler: a cut ends the answer at its byte or event, by reset, close or silence") {
    const std::string body = chat_body("hi", R"(,"max_tokens":4,"stream":true)");
    struct Row {
        const char* name;
        const char* fault;
        std::size_t chunks;
        bool reset;
    };
    const Row rows[] = {
        {"reset after two events", "cut=reset; cut_events=2", 2, true},
        {"close after the head", "cut=close; cut_events=0", 0, false},
        {"close after five events", "cut=close;cut_events=5", 5, false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        Bench bench;
        auto exchange = bench.ask("POST", kChat, body, row.fault);
        const std::size_t head_end = exchange->raw.find("\r\n\r\n");
        REQUIRE(head_end != std::string::npos);
        CHECK(exchange->raw.starts_with("HTTP/1.1 200 OK\r\n"));
        CHECK(chunks_of(exchange->raw.substr(head_end + 4)).size() == row.chunks);
        CHECK_FALSE(exchange->complete);
        CHECK(exchange->closed);
        CHECK(exchange->reset == row.reset);
    }
    for (const std::size_t bytes : {0U, 1U, 20U, 300U, 501U}) {
        CAPTURE(bytes);
        Bench bench;
        auto exchange = bench.ask("POST", kChat, body, fmt::format("cut=reset;cut_bytes={}", bytes));
        CHECK(exchange->raw.size() == bytes);
        CHECK(exchange->reset);
    }
    Bench bench;
    auto whole = bench.ask("POST", kChat, chat_body("hi"), "cut=close;cut_events=0");
    CHECK(whole->raw.find("Content-Length: ") != std::string::npos);
    CHECK(whole->raw.ends_with("\r\n\r\n"));
}

TEST_CASE("handler: a status, an error event, garbage and a silent close on demand") {
    Bench bench;
    const std::string body = chat_body("hi", R"(,"max_tokens":4,"stream":true)");
    auto refused = bench.ask("POST", kChat, body, "status=429; retry_after=7");
    CHECK(refused->status == 429);
    CHECK(refused->value_of("Retry-After") == "7");
    auto failed = bench.ask("POST", kChat, body, "error_events=2");
    const std::vector<std::string> chunks = chunks_of(failed->wire());
    REQUIRE(chunks.size() == 4);
    CHECK(chunks[2].starts_with(R"(data: {"error":{"message":)"));
    CHECK(chunks[3].empty());
    CHECK(failed->complete);
    auto garbage = bench.ask("POST", kChat, body, "garbage");
    CHECK_FALSE(garbage->raw.empty());
    CHECK(garbage->raw.find("HTTP/1.1") == std::string::npos);
    auto closed = bench.ask("POST", kChat, body, "close_after=true");
    CHECK(closed->complete);
    CHECK(closed->closed);
    CHECK_FALSE(closed->reset);
    CHECK(bench.ask("POST", kChat, body, "nonsense=1")->status == 400);
}

TEST_CASE("handler: events can be gathered into large chunks or sliced into small ones") {
    Bench bench;
    const std::string body = chat_body("hi", R"(,"max_tokens":4,"stream":true)");
    const auto joined = [](const std::vector<std::string>& chunks) {
        return std::accumulate(chunks.begin(), chunks.end(), std::string());
    };
    const std::vector<std::string> plain = chunks_of(bench.ask("POST", kChat, body)->wire());
    const std::vector<std::string> large =
        chunks_of(bench.ask("POST", kChat, body, "chunk_bytes=1000000")->wire());
    CHECK(large.size() == 2);
    const std::vector<std::string> small = chunks_of(bench.ask("POST", kChat, body, "slice_bytes=7")->wire());
    for (std::size_t i = 0; i + 1 < small.size(); ++i) {
        CHECK(small[i].size() <= 7);
    }
    CHECK(small.size() > joined(plain).size() / 7);
    CHECK(joined(large).size() == joined(plain).size());
    CHECK(joined(small).size() == joined(plain).size());
}

TEST_CASE("handler: a server's fault hits its share of its paths until it is taken away") {
    Bench bench;
    const std::string fault = R"({"status":503,"share":0.25,"path":"/v1/completions"})";
    const json::value set = bench.ask_json("POST", "/sim/faults", fault);
    CHECK(set.at("share").as_double() == 0.25);
    CHECK(bench.ask_json("GET", "/sim/faults") == set);
    int hits = 0;
    for (int i = 0; i < 200; ++i) {
        hits +=
            bench.ask("POST", "/v1/completions", R"({"prompt":"a","max_tokens":1})")->status == 503 ? 1 : 0;
    }
    CHECK(hits > 25);
    CHECK(hits < 75);
    CHECK(bench.ask("POST", kChat, chat_body("hi"))->status == 200);
    bench.ask("DELETE", "/sim/faults");
    for (int i = 0; i < 20; ++i) {
        CHECK(bench.ask("POST", "/v1/completions", R"({"prompt":"a","max_tokens":1})")->status == 200);
    }
    CHECK(bench.ask("POST", "/sim/faults", R"({"sttus":503})")->status == 400);
    bench.ask("POST", "/sim/faults", R"({"refuse":"250ms"})");
    CHECK(bench.refused == std::chrono::milliseconds{250});
}

}  // namespace warmlane::sim::test
