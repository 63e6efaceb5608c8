#include "e2e/support/gateway.hpp"
#include "e2e/support/http_text.hpp"
#include "e2e/support/raw_client.hpp"
#include "e2e/support/scripted_endpoint.hpp"

#include <boost/json/parse.hpp>
#include <doctest/doctest.h>

#include <string>

namespace warmlane::test {
namespace {

TEST_CASE(
    "own answers: a body that is no request of its path is refused in OpenAI's shape, and nobody is asked"
) {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    struct Row {
        const char* name;
        const char* path;
        std::string body;
    };
    const Row rows[] = {
        {"no JSON", "/v1/chat/completions", "hello"},
        {"cut off", "/v1/chat/completions", R"({"model":"m","messages":[)"},
        {"a NaN",
         "/v1/chat/completions",
         R"({"model":"m","temperature":NaN,"messages":[{"role":"user","content":"x"}]})"},
        {"the model twice", "/v1/completions", R"({"model":"m","model":"n","prompt":"x"})"},
        {"the model twice, one in disguise",
         "/v1/completions",
         R"({"model":"m","m\u006fdel":"n","prompt":"x"})"},
        {"no messages", "/v1/chat/completions", R"({"model":"m"})"},
        {"empty messages", "/v1/chat/completions", R"({"model":"m","messages":[]})"},
        {"a model that is a number", "/v1/completions", R"({"model":7,"prompt":"x"})"},
        {"nothing", "/v1/chat/completions", ""},
        {"nested too deeply",
         "/v1/completions",
         R"({"prompt":"x","a":)" + std::string(5'000, '[') + std::string(5'000, ']') + "}"},
        {"not UTF-8", "/v1/completions", "{\"prompt\":\"\xff\"}"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const RawResponse response = ask(gateway.port(), "POST", row.path, row.body);
        CHECK(response.status == 400);
        CHECK(response.value_of("Content-Type") == "application/json");
        CHECK(!response.value_of("x-request-id").empty());
        const auto error = boost::json::parse(response.body).at("error").as_object();
        CHECK(error.at("message").as_string().size() > 10);
        CHECK(error.at("type").as_string() == "invalid_request_error");
    }
    CHECK(endpoint.requests() == 0);
}

TEST_CASE("own answers: a body over the limit") {
    ScriptedEndpoint endpoint;
    config::Config config = test_config({endpoint.port()});
    config.proxy.request_body_bytes_max = 1'000;
    Gateway gateway(std::move(config));
    const std::string body = R"({"prompt":")" + std::string(1'000, 'x') + "\"}";
    CHECK(ask(gateway.port(), "POST", "/v1/completions", body).status == 413);
    RawClient chunked(gateway.port());
    chunked.send(
        "POST /v1/completions HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(body)
    );
    CHECK(chunked.read_response().status == 413);
    CHECK(endpoint.requests() == 0);
}

TEST_CASE("own answers: heads over their limits") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    std::string many;
    for (int i = 0; i < 120; ++i) {
        many += "X-" + std::to_string(i) + ": y\r\n";
    }
    CHECK(ask(gateway.port(), "GET", "/" + std::string(9'000, 'a')).status == 414);
    CHECK(ask(gateway.port(), "GET", "/a", {}, "X-Long: " + std::string(40'000, 'a') + "\r\n").status == 431);
    CHECK(ask(gateway.port(), "GET", "/a", {}, many).status == 431);
}

TEST_CASE("own answers: paths that are not for clients") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    CHECK(ask(gateway.port(), "POST", "/sleep").status == 403);
    CHECK(ask(gateway.port(), "POST", "/%73leep?level=1").status == 403);
    CHECK(ask(gateway.port(), "POST", "/reset_prefix_cache").status == 403);
    CHECK(ask(gateway.port(), "GET", "/metrics").status == 404);
    CHECK(ask(gateway.port(), "GET", "/endpoints").status == 404);
    const RawResponse get = ask(gateway.port(), "GET", "/v1/chat/completions");
    CHECK(get.status == 405);
    CHECK(get.value_of("Allow") == "POST");
    CHECK(endpoint.requests() == 0);
}

TEST_CASE("own answers: paths that nobody knows go to an endpoint") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    CHECK(ask(gateway.port(), "POST", "/v1/audio/transcriptions", "not json at all").status == 200);
    CHECK(ask(gateway.port(), "POST", "/tokenize", "{").status == 200);
    CHECK(endpoint.journal().at(0).body == "not json at all");
    const std::string zipped = "\x1f\x8b\x08";
    CHECK(
        ask(gateway.port(), "POST", "/v1/chat/completions", zipped, "Content-Encoding: gzip\r\n").status ==
        200
    );
    CHECK(endpoint.journal().at(2).body == zipped);
}

TEST_CASE("own answers: the models of all endpoints, each once") {
    ScriptedEndpoint first;
    ScriptedEndpoint second;
    ScriptedEndpoint dead;
    first.set_models(answer_text(
        200, R"({"object":"list","data":[{"id":"m","object":"model"},{"id":"lora-1","object":"model"}]})"
    ));
    second.set_models(answer_text(
        200, R"({"object":"list","data":[{"id":"m","object":"model"},{"id":"n","object":"model"}]})"
    ));
    dead.stop_accepting();
    Gateway gateway(test_config({dead.port(), first.port(), second.port()}));
    CHECK(eventually([&] {
        const RawResponse response = ask(gateway.port(), "GET", "/v1/models");
        const auto list = boost::json::parse(response.body).at("data").as_array();
        return response.status == 200 && list.size() == 3 && list[0].at("id").as_string() == "lora-1" &&
               list[1].at("id").as_string() == "m" && list[2].at("id").as_string() == "n";
    }));
}

TEST_CASE("own answers: health is about this process, readiness about the pool") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    CHECK(ask(gateway.port(), "GET", "/health").status == 200);
    CHECK(ask(gateway.port(), "GET", "/liveness").status == 200);
    CHECK(ask(gateway.port(), "GET", "/readiness").status == 200);
    CHECK(ask(gateway.admin_port(), "GET", "/readiness").status == 200);
    endpoint.stop_accepting();
    endpoint.reset_connections();
    CHECK(eventually([&] { return ask(gateway.port(), "GET", "/readiness").status == 503; }));
    CHECK(ask(gateway.port(), "GET", "/health").status == 200);
    CHECK(ask(gateway.admin_port(), "GET", "/readiness").status == 503);
}

TEST_CASE("own answers: model names from clients cannot grow the metrics page, nor break it") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    for (const char* model : {R"(a\"b\\c)", R"(line\nbreak)", "\xf0\x9f\x98\x80", "qwen:7b", "org/Name 7B"}) {
        const std::string body = std::string(R"({"model":")") + model + R"(","prompt":"x"})";
        CHECK(ask(gateway.port(), "POST", "/v1/completions", body).status == 200);
        CHECK(endpoint.journal().back().body == body);
    }
    const std::string page = gateway.admin("/metrics");
    CHECK(page.find("model=\"org/Name 7B\"") != std::string::npos);
    CHECK(gateway.metric("warmlane_requests_total", {"model=\"other\""}) >= 2);
    CHECK(page.find("line") == std::string::npos);
}

}  // namespace
}  // namespace warmlane::test
