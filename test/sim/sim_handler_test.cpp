#include "handler_bench.hpp"

#include <boost/json/value.hpp>
#include <doctest/doctest.h>

namespace warmlane::sim::test {

namespace json = boost::json;

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
         "Please reduce the length of the input messages."},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        HandlerBench bench;
        const Reply reply = bench.ask(row.method, row.path, row.body);
        CHECK(reply.status == row.status);
        const json::value error = reply.json().at("error");
        CHECK(error.at("message").as_string() == row.message);
        CHECK(number(error.at("code")) == row.status);
        CHECK(error.at("type").as_string() == (row.status == 404 ? "NotFoundError" : "BadRequestError"));
    }
}

TEST_CASE("handler: paths and methods that do not exist get FastAPI's answers") {
    HandlerBench bench;
    CHECK(bench.ask("GET", "/nothing").status == 404);
    CHECK(bench.ask("GET", "/nothing").content == R"({"detail":"Not Found"})");
    CHECK(bench.ask("POST", "/metrics").status == 405);
    CHECK(bench.ask("GET", kChat).status == 405);
}

TEST_CASE("handler: a body that is too large or not JSON by name is refused") {
    SimServerOptions options;
    options.body_bytes_max = 10;
    HandlerBench small(options);
    CHECK(small.ask("POST", "/v1/completions", R"({"prompt":"abc"})").status == 413);
    HandlerBench bench;
    Question question;
    question.target = "/v1/completions";
    question.body = R"({"prompt":"abc"})";
    CHECK(bench.ask(question).status == 200);
    question.fields = {{"content-type", "application/x-www-form-urlencoded"}};
    CHECK(bench.ask(question).status == 400);
}

TEST_CASE("handler: a full queue answers 429 with Retry-After, also to a stream") {
    SimServerOptions options;
    options.engine.running_max = 1;
    options.engine.waiting_max = 1;
    HandlerBench bench(options);
    Question question;
    question.target = kChat;
    question.body = chat_body("hi", R"(,"stream":true)");
    const std::vector<Reply> replies = bench.ask_together({question, question, question});
    CHECK(replies[0].status == 200);
    CHECK(replies[1].status == 200);
    CHECK(replies[2].status == 429);
    CHECK(replies[2].value_of("Retry-After") == "1");
    CHECK(replies[2].json().at("error").at("type").as_string() == "RateLimitError");
}

TEST_CASE("handler: a client that leaves is aborted, and both pages say so") {
    SimServerOptions options;
    options.engine.speed = 2;
    HandlerBench bench(options);
    Question question;
    question.target = kChat;
    question.body = chat_body("hi", R"(,"max_tokens":1000,"stream":true)");
    question.leaves_after_writes = 3;
    CHECK_FALSE(bench.ask(question).complete);
    const json::value state = bench.ask("GET", "/sim/state").json();
    CHECK(number(state.at("aborted_requests")) == 1);
    CHECK(number(state.at("running")) == 0);
    CHECK(
        bench.ask("GET", "/metrics")
            .content.find(R"(sim_aborted_requests_total{engine="0",model_name="warmlane-sim"} 1.0)") !=
        std::string::npos
    );
}

TEST_CASE("handler: models, health, version and tokens") {
    SimServerOptions options;
    options.model = "org/model";
    HandlerBench bench(options);
    const json::value models = bench.ask("GET", "/v1/models").json();
    CHECK(models.at("data").at(0).at("id").as_string() == "org/model");
    CHECK(number(models.at("data").at(0).at("max_model_len")) == 32'768);
    CHECK(bench.ask("GET", "/health").status == 200);
    CHECK(bench.ask("GET", "/health").content.empty());
    CHECK(bench.ask("GET", "/version").json().at("version").is_string());
    const json::value tokens = bench.ask("POST", "/tokenize", R"({"prompt":"the quick fox"})").json();
    CHECK(number(tokens.at("count")) == 3);
    CHECK(tokens.at("tokens").as_array().size() == 3);
    CHECK(number(bench.ask("POST", "/tokenize", chat_body("hi")).json().at("count")) > 10);
}

TEST_CASE("handler: while the model loads, health and requests answer 503") {
    SimServerOptions options;
    options.startup = std::chrono::hours{1};
    HandlerBench bench(options);
    CHECK(bench.ask("GET", "/health").status == 503);
    CHECK(bench.ask("POST", kChat, chat_body("hi")).status == 503);
    CHECK(bench.ask("GET", "/sim/state").status == 200);
}

TEST_CASE("handler: the prefix cache can be reset, and cached tokens can be left out") {
    SimServerOptions options;
    options.report_cached_tokens = false;
    HandlerBench bench(options);
    const std::string body = chat_body(std::string(300, 'x'));
    CHECK_FALSE(
        bench.ask("POST", kChat, body).json().at("usage").as_object().contains("prompt_tokens_details")
    );
    CHECK(number(bench.ask("GET", "/sim/state").json().at("cached_blocks")) > 0);
    CHECK(bench.ask("POST", "/reset_prefix_cache").status == 200);
    CHECK(number(bench.ask("GET", "/sim/state").json().at("cached_blocks")) == 0);
}

}  // namespace warmlane::sim::test
