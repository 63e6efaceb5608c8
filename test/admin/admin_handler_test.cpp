#include "warmlane/admin/admin_handler.hpp"

#include "admin/json_text.hpp"
#include "support/fake_exchange.hpp"
#include "support/fleet.hpp"

#include "warmlane/plugins/builtin.hpp"

#include <boost/json/parse.hpp>
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

namespace warmlane::admin {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr const char* kChat = R"({"model":"m","messages":[{"role":"user","content":"hello"}]})";

/// A handler over a pool of endpoints `a`, `b`, ... and the default profile.
struct Admin {
    explicit Admin(std::size_t endpoints) : fleet(endpoints) {
        fleet.pool.generation = 7;
        std::vector<ReadError> errors;
        scheduler = routing::Scheduler::build(
            routing::SchedulingConfig::default_config(), plugins::builtin_plugins(), 1, errors
        );
        REQUIRE(errors.empty());
        handler = std::make_unique<AdminHandler>(AdminSources{
            .pool = [this] { return std::make_shared<const PoolSnapshot>(fleet.pool); },
            .scheduler = *scheduler,
            .metrics = metrics,
            .configuration = [this] { return report; },
            .shutting_down = shutting_down,
            .connections = [] { return std::size_t{5}; },
            .now = [this] { return fleet.clock.now(); },
            .request_body_bytes_max = 1'000,
        });
    }

    http::Response get(std::string_view target) const { return handler->answer({"GET", target, {}, {}}); }
    http::Response post(std::string_view target, std::string_view body) const {
        return handler->answer({"POST", target, body, {}});
    }
    json::value get_json(std::string_view target) const { return json::parse(get(target).body); }

    test::Fleet fleet;
    std::unique_ptr<routing::Scheduler> scheduler;
    observability::Metrics metrics;
    std::atomic<bool> shutting_down{false};
    ConfigurationReport report{std::string(R"({"listen":{"port":1}})")};
    std::unique_ptr<AdminHandler> handler;
};

TEST_CASE("admin: each path answers to its method and to no other") {
    struct Row {
        std::string method;
        std::string target;
        unsigned status;
        std::string allow;
    };
    const Row rows[] = {
        {"GET", "/metrics", 200, ""},
        {"HEAD", "/metrics", 200, ""},
        {"POST", "/metrics", 405, "GET, HEAD"},
        {"GET", "/metrics?name=x", 200, ""},
        {"GET", "/health", 200, ""},
        {"GET", "/liveness", 200, ""},
        {"GET", "/readiness", 200, ""},
        {"GET", "/endpoints", 200, ""},
        {"DELETE", "/endpoints", 405, "GET, HEAD"},
        {"GET", "/config", 200, ""},
        {"GET", "/explain", 405, "POST"},
        {"HEAD", "/explain", 405, "POST"},
        {"GET", "/", 404, ""},
        {"GET", "/metrics/", 404, ""},
        {"GET", "/v1/models", 404, ""},
        {"POST", "/v1/chat/completions", 404, ""},
    };
    const Admin admin(1);
    for (const Row& row : rows) {
        CAPTURE(row.method);
        CAPTURE(row.target);
        const http::Response response = admin.handler->answer({row.method, row.target, kChat, {}});
        CHECK(response.status == row.status);
        REQUIRE(response.fields.size() == (row.allow.empty() ? 0 : 1));
        if (!row.allow.empty()) {
            CHECK(response.fields[0].name == "Allow");
            CHECK(response.fields[0].value == row.allow);
        }
        if (row.status >= 400) {
            CHECK(json::parse(response.body).at("error").at("type") == "invalid_request_error");
        }
    }
}

TEST_CASE("admin: ready while an endpoint takes traffic and nobody has asked to stop") {
    Admin admin(2);
    CHECK(admin.get("/readiness").status == 200);
    CHECK(admin.get_json("/readiness").at("status") == "ready");

    admin.fleet.pool.endpoints[0].state = EndpointState::down;
    admin.fleet.pool.endpoints[1].state = EndpointState::suspect;
    CHECK(admin.get("/readiness").status == 200);

    admin.fleet.pool.endpoints[1].state = EndpointState::draining;
    CHECK(admin.get("/readiness").status == 503);
    CHECK(admin.get_json("/readiness").at("status") == "no endpoint takes traffic");
    CHECK(admin.get("/liveness").status == 200);

    admin.fleet.pool.endpoints[1].state = EndpointState::up;
    admin.shutting_down = true;
    CHECK(admin.get("/readiness").status == 503);
    CHECK(admin.get_json("/readiness").at("status") == "shutting down");
    CHECK(admin.get("/health").status == 200);
}

TEST_CASE("admin: the endpoints, with what is known and null for what is not") {
    Admin admin(2);
    EndpointStatus& known = admin.fleet.pool.endpoints[0];
    known.endpoint->in_flight_requests = 3;
    known.endpoint->in_flight_tokens = 400;
    known.endpoint->predicted_cached_tokens = 50;
    known.endpoint->cached_tokens = 40;
    known.models = std::make_shared<const std::vector<EndpointStatus::Model>>(
        std::vector<EndpointStatus::Model>{{"m", R"({"id":"m"})"}}
    );
    admin.fleet.show(0, 2, 1, 0.25);
    admin.fleet.clock.advance(1'500ms);
    EndpointStatus& unknown = admin.fleet.pool.endpoints[1];
    unknown.metrics.reset();
    unknown.state = EndpointState::down;
    unknown.last_error = "connection refused";

    CHECK(
        admin.get("/endpoints").body ==
        R"({"endpoints":[)"
        R"({"name":"a","url":"http://127.0.0.1","state":"up","labels":{},"engine":"vllm","models":["m"],)"
        R"("in_flight_requests":3,"in_flight_tokens":400,"waiting":2,"running":1,"kv_usage":0.25,)"
        R"("metrics_age_ms":1500,"index_blocks":0,"predicted_cached_tokens":50,"cached_tokens":40,)"
        R"("last_error":null},)"
        R"({"name":"b","url":"http://127.0.0.1","state":"down","labels":{},"engine":"vllm","models":[],)"
        R"("in_flight_requests":0,"in_flight_tokens":0,"waiting":null,"running":null,"kv_usage":null,)"
        R"("metrics_age_ms":null,"index_blocks":0,"predicted_cached_tokens":0,"cached_tokens":0,)"
        R"("last_error":"connection refused"}],"generation":7})"
        "\n"
    );
}

TEST_CASE("admin: the configuration with its generation and the last reload's error") {
    Admin admin(1);
    CHECK(
        admin.get("/config").body ==
        R"({"config":{"listen":{"port":1}},"generation":1,"last_reload_error":null})"
        "\n"
    );
    admin.report.generation = 4;
    admin.report.last_reload_error = "f.yaml:1: \"x\"";
    CHECK(admin.get_json("/config").at("generation") == 4);
    CHECK(admin.get_json("/config").at("last_reload_error") == "f.yaml:1: \"x\"");
}

TEST_CASE("admin: the metrics page shows the moment") {
    Admin admin(2);
    admin.fleet.endpoint(0).in_flight_requests = 3;
    admin.fleet.pool.endpoints[1].state = EndpointState::down;
    const http::Response response = admin.get("/metrics");
    CHECK(response.content_type == "text/plain; version=0.0.4; charset=utf-8");
    for (const std::string line : {
             R"(warmlane_in_flight_requests{endpoint="a"} 3)",
             R"(warmlane_endpoint_up{endpoint="a"} 1)",
             R"(warmlane_endpoint_up{endpoint="b"} 0)",
         }) {
        CAPTURE(line);
        CHECK(response.body.find("\n" + line + "\n") != std::string::npos);
    }
    admin.fleet.endpoint(0).in_flight_requests = 0;
    CHECK(
        admin.get("/metrics").body.find("\nwarmlane_in_flight_requests{endpoint=\"a\"} 0\n") !=
        std::string::npos
    );
}

TEST_CASE("admin: explain tells the decision with every score, and records nothing") {
    Admin admin(2);
    admin.fleet.show(0, 4, 0, 0);
    for (int i = 0; i < 2; ++i) {
        const http::Response response = admin.post("/explain?path=/v1/chat/completions", kChat);
        REQUIRE(response.status == 200);
        const json::value report = json::parse(response.body);
        CHECK(report.at("model") == "m");
        CHECK(report.at("profile") == "default");
        CHECK(report.at("picked") == "b");
        CHECK(report.at("total_blocks") == 1);
        const json::array& candidates = report.at("candidates").as_array();
        REQUIRE(candidates.size() == 2);
        CHECK(
            json_text(candidates[0]) == R"({"endpoint":"a","kept":true,"filters":[],"scores":[)"
                                        R"({"plugin":"queue-scorer","score":0,"weight":2},)"
                                        R"({"plugin":"kv-cache-utilization-scorer","score":1,"weight":2},)"
                                        R"({"plugin":"prefix-cache-scorer","score":0,"weight":3}],)"
                                        R"("total":2,"match_blocks":0,"total_blocks":1})"
        );
        CHECK(candidates[1].at("total") == 4);
    }
    CHECK(admin.scheduler->index_blocks(admin.fleet.endpoint(1)) == 0);
    CHECK(admin.fleet.endpoint(1).in_flight_requests == 0);
}

TEST_CASE("admin: explain reads the path from the query string") {
    struct Row {
        std::string target;
        std::string body;
        unsigned status;
    };
    const Row rows[] = {
        {"/explain", kChat, 200},
        {"/explain?path=%2Fv1%2Fchat%2Fcompletions", kChat, 200},
        {"/explain?x=1&path=/v1/completions", R"({"model":"m","prompt":"p"})", 200},
        {"/explain?path=/v1/completions?beta=true", R"({"model":"m","prompt":"p"})", 200},
        {"/explain?path=/tokenize", "not JSON", 200},
        {"/explain?path=/v1/chat/completions", "not JSON", 400},
        {"/explain?path=/v1/chat/completions", "", 400},
        {"/explain?path=%zz", kChat, 400},
    };
    const Admin admin(1);
    for (const Row& row : rows) {
        CAPTURE(row.target);
        CAPTURE(row.body);
        CHECK(admin.post(row.target, row.body).status == row.status);
    }
}

TEST_CASE("admin: nothing to explain while no endpoint takes traffic") {
    Admin admin(1);
    admin.fleet.pool.endpoints[0].state = EndpointState::down;
    const http::Response response = admin.post("/explain", kChat);
    CHECK(response.status == 503);
    CHECK(json::parse(response.body).at("error").at("message") == "No endpoint takes traffic.");
}

TEST_CASE("admin: a request on the wire gets its answer") {
    http::asio::io_context context{1};
    const Admin admin(1);

    test::FakeExchange health(context, "GET", "/health");
    health.serve(*admin.handler);
    CHECK(health.response_status() == 200);
    CHECK(health.content == "{\"status\":\"ok\"}\n");
    CHECK(health.content_type == "application/json");
    CHECK(health.body_limit == 0);

    test::FakeExchange explain(context, "POST", "/explain", kChat);
    explain.serve(*admin.handler);
    CHECK(explain.response_status() == 200);
    CHECK(explain.body_limit == 1'000);
    CHECK_FALSE(explain.closes);
}

TEST_CASE("admin: a body that cannot be read is refused, and its connection closed") {
    struct Row {
        std::string name;
        Errc fault;
        unsigned status;
    };
    const Row rows[] = {
        {"too large", Errc::body_too_large, 413},
        {"too slow", Errc::client_too_slow, 408},
        {"malformed", Errc::bad_request_body, 400},
    };
    http::asio::io_context context{1};
    const Admin admin(1);
    for (const Row& row : rows) {
        CAPTURE(row.name);
        test::FakeExchange exchange(context, "POST", "/explain", kChat);
        exchange.read_fault = row.fault;
        exchange.serve(*admin.handler);
        CHECK(exchange.response_status() == row.status);
        CHECK(exchange.closes);
    }
    test::FakeExchange gone(context, "POST", "/explain", kChat);
    gone.read_fault = Errc::client_gone;
    gone.gone = true;
    gone.serve(*admin.handler);
    CHECK_FALSE(gone.response_started());
}

}  // namespace
}  // namespace warmlane::admin
