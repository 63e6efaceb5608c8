#include "e2e/support/gateway.hpp"
#include "e2e/support/http_text.hpp"
#include "e2e/support/raw_client.hpp"
#include "e2e/support/scripted_endpoint.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::test {
namespace {

using std::chrono::milliseconds;

const std::string kStream = R"({"model":"m","stream":true,"messages":[{"role":"user","content":"Hello"}]})";

TEST_CASE("lifecycle: an idle gateway ends at once") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    RawClient idle(gateway.port());
    idle.request("GET", "/health");
    CHECK(idle.read_response().status == 200);
    gateway.request_stop();
    const app::RunSummary summary = gateway.wait();
    CHECK(summary.connections_cut == 0);
    CHECK(idle.wait_for_end() != PeerEnd::open);
}

TEST_CASE("lifecycle: running streams finish, new connections are refused, readiness says so first") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    endpoint.always(Script()
                        .send(event_stream_head() + chunk(chat_event("a")))
                        .hold()
                        .send(chunk(chat_event("b")) + std::string(kLastChunk)));
    RawClient client(gateway.port());
    client.request("POST", "/v1/chat/completions", kStream);
    CHECK(client.read_head().status == 200);
    gateway.request_stop();
    CHECK(eventually([&] { return ask(gateway.admin_port(), "GET", "/readiness").status == 503; }));
    CHECK_THROWS(RawClient(gateway.port()));
    endpoint.release();
    CHECK(client.read_event()->content == chat_event("a"));
    CHECK(client.read_event()->content == chat_event("b"));
    const app::RunSummary summary = gateway.wait();
    CHECK(summary.connections_cut == 0);
    CHECK(summary.requests_served == 1);
}

TEST_CASE("lifecycle: what is not done at the end of the grace period is cut") {
    ScriptedEndpoint endpoint;
    config::Config config = test_config({endpoint.port()});
    config.shutdown_grace = milliseconds{100};
    Gateway gateway(std::move(config));
    endpoint.always(Script().send(event_stream_head() + chunk(chat_event("a"))).hold());
    RawClient client(gateway.port());
    client.request("POST", "/v1/chat/completions", kStream);
    CHECK(client.read_head().status == 200);
    gateway.request_stop();
    CHECK(gateway.wait().connections_cut == 1);
    CHECK(client.wait_for_end() != PeerEnd::open);
    CHECK(endpoint.wait_for_peer_end(0));
}

TEST_CASE("lifecycle: a second signal does not wait") {
    ScriptedEndpoint endpoint;
    config::Config config = test_config({endpoint.port()});
    config.shutdown_grace = std::chrono::seconds{60};
    auto gateway = std::make_unique<Gateway>(std::move(config));
    endpoint.always(Script().send(event_stream_head()).hold());
    RawClient client(gateway->port());
    client.request("POST", "/v1/chat/completions", kStream);
    CHECK(client.read_head().status == 200);
    gateway->request_stop();
    gateway->request_stop();
    gateway->wait();
    gateway.reset();
    CHECK(client.wait_for_end() != PeerEnd::open);
}

TEST_CASE("lifecycle: a port that is taken is told apart from other failures") {
    ScriptedEndpoint endpoint;
    config::Config config = test_config({endpoint.port()});
    config.listen.port = endpoint.port();
    app::Application application(config);
    const auto failure = application.start();
    REQUIRE(failure.has_value());
    CHECK(failure->code == app::ExitCode::bind);
    CHECK(failure->message.find(std::to_string(endpoint.port())) != std::string::npos);
}

}  // namespace
}  // namespace warmlane::test
