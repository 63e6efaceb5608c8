#include "e2e/support/gateway.hpp"
#include "e2e/support/http_text.hpp"
#include "e2e/support/raw_client.hpp"
#include "e2e/support/scripted_endpoint.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace warmlane::test {
namespace {

using std::chrono::milliseconds;

const std::string kChat = R"({"model":"m","messages":[{"role":"user","content":"Hello"}]})";

/// Two endpoints of which the first is always preferred: its page is good, the second's shows a long queue.
struct Pair {
    ScriptedEndpoint preferred;
    ScriptedEndpoint other;
    Gateway gateway;

    Pair() : gateway(configured()) {
        REQUIRE(eventually([&] { return preferred.scrapes() > 1 && other.scrapes() > 1; }));
        REQUIRE(eventually([&] { return gateway.admin("/endpoints").find("50") != std::string::npos; }));
    }

    config::Config configured() {
        preferred.set_load(0, 0, 0);
        other.set_load(0, 50, 0.9);
        return test_config({preferred.port(), other.port()});
    }
    RawResponse chat() const { return ask(gateway.port(), "POST", "/v1/chat/completions", kChat); }
};

TEST_CASE("retry: an endpoint that refuses connections is passed over, and is no longer asked") {
    Pair pair;
    pair.preferred.stop_accepting();
    pair.preferred.reset_connections();
    for (int i = 0; i < 10; ++i) {
        const RawResponse response = pair.chat();
        CHECK(response.status == 200);
        CHECK(response.value_of("x-warmlane-endpoint") == "b");
    }
    CHECK(eventually([&] {
        return pair.gateway.admin("/endpoints").find("\"state\":\"down\"") != std::string::npos;
    }));
    pair.preferred.accept_again();
    CHECK(eventually([&] { return pair.chat().value_of("x-warmlane-endpoint") == "a"; }));
}

TEST_CASE("retry: a connection that breaks before the head, nonsense, and 502, 503, 504 move the request on"
) {
    Pair pair;
    struct Row {
        const char* name;
        Script script;
    };
    const Row rows[] = {
        {"closed", Script().close()},
        {"reset", Script().reset()},
        {"half a head", Script().send("HTTP/1.1 200 OK\r\nContent-").close()},
        {"nonsense", Script().send("SSH-2.0-x\r\n").close()},
        {"502", answer(answer_text(502, "{}"))},
        {"503", answer(answer_text(503, "{}", "application/json", "Retry-After: 9\r\n"))},
        {"504", answer(answer_text(504, "{}"))},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(eventually([&] {
            return pair.gateway.admin("/endpoints").find("\"state\":\"down\"") == std::string::npos;
        }));
        const std::size_t before = pair.preferred.requests() + pair.other.requests();
        pair.preferred.next(row.script);
        const RawResponse response = pair.chat();
        CHECK(response.status == 200);
        CHECK(response.value_of("x-warmlane-attempts") == "2");
        CHECK(pair.preferred.requests() + pair.other.requests() == before + 2);
        CHECK(pair.chat().status == 200);
    }
}

TEST_CASE("retry: 4xx and 500 are the answer, asked once") {
    Pair pair;
    for (const unsigned status : {400U, 404U, 413U, 422U, 429U, 500U}) {
        CAPTURE(status);
        pair.preferred.next(answer(answer_text(status, "{\"error\":{}}")));
        const std::size_t before = pair.preferred.requests() + pair.other.requests();
        CHECK(pair.chat().status == status);
        CHECK(pair.preferred.requests() + pair.other.requests() == before + 1);
    }
    CHECK(pair.gateway.admin("/endpoints").find("\"state\":\"down\"") == std::string::npos);
}

TEST_CASE("retry: when nobody else is left, the last endpoint's 503 is passed on as it came") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    endpoint.always(answer(answer_text(503, "{\"busy\":1}", "application/json", "Retry-After: 9\r\n")));
    const RawResponse response = ask(gateway.port(), "POST", "/v1/chat/completions", kChat);
    CHECK(response.status == 503);
    CHECK(response.body == "{\"busy\":1}");
    CHECK(response.value_of("Retry-After") == "9");
    CHECK(endpoint.requests() == 1);
}

TEST_CASE("retry: a reused connection that the endpoint has closed meanwhile is never the client's problem") {
    ScriptedEndpoint endpoint;
    config::Config config = test_config({endpoint.port()});
    config.threads = 1;
    Gateway gateway(std::move(config));
    endpoint.always(Script().send(chat_answer("x")).pause(milliseconds{1}).close());
    for (int i = 0; i < 200; ++i) {
        CHECK(ask(gateway.port(), "POST", "/v1/chat/completions", kChat).status == 200);
    }
}

TEST_CASE("retry: an endpoint that takes too long is not asked again, nor is another") {
    ScriptedEndpoint first;
    ScriptedEndpoint second;
    config::Config config = test_config({first.port(), second.port()});
    config.upstream.first_byte_timeout = milliseconds{100};
    Gateway gateway(std::move(config));
    first.always(Script().hold());
    second.always(Script().hold());
    const RawResponse response = ask(gateway.port(), "POST", "/v1/chat/completions", kChat);
    CHECK(response.status == 504);
    CHECK(response.body.find("first_byte_timeout") != std::string::npos);
    CHECK(first.requests() + second.requests() == 1);
    CHECK(gateway.metric("warmlane_prefix_index_blocks") == 0);
    CHECK((first.requests() == 1 ? first : second).wait_for_peer_end(0));
}

TEST_CASE("retry: an answer that pauses for too long is cut") {
    ScriptedEndpoint endpoint;
    config::Config config = test_config({endpoint.port()});
    config.upstream.idle_timeout = milliseconds{100};
    Gateway gateway(std::move(config));
    endpoint.always(Script().send(event_stream_head() + chunk(chat_event("a"))).hold());
    const RawResponse response = ask(gateway.port(), "POST", "/v1/chat/completions", kChat);
    CHECK(response.status == 200);
    CHECK(!response.complete);
    CHECK(endpoint.wait_for_peer_end(0));
}

TEST_CASE("retry: nobody listens anywhere") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    endpoint.stop_accepting();
    endpoint.reset_connections();
    const RawResponse first = ask(gateway.port(), "POST", "/v1/chat/completions", kChat);
    CHECK((first.status == 502 || first.status == 503));
    CHECK(eventually([&] {
        const RawResponse later = ask(gateway.port(), "POST", "/v1/chat/completions", kChat);
        return later.status == 503 && later.has("Retry-After") &&
               later.body.find("no_endpoint") != std::string::npos;
    }));
}

TEST_CASE("retry: killing one of three endpoints under load loses only what had begun to answer") {
    std::vector<std::unique_ptr<ScriptedEndpoint>> endpoints;
    std::vector<std::uint16_t> ports;
    for (int i = 0; i < 3; ++i) {
        endpoints.push_back(std::make_unique<ScriptedEndpoint>());
        endpoints.back()->always(Script()
                                     .pause(milliseconds{5})
                                     .send(event_stream_head() + chunk(chat_event("a")))
                                     .pause(milliseconds{5})
                                     .send(chunk("data: [DONE]\n\n") + std::string(kLastChunk)));
        ports.push_back(endpoints.back()->port());
    }
    Gateway gateway(test_config(ports));
    std::atomic<bool> stop{false};
    std::atomic<int> complete{0};
    std::atomic<int> broken_before_head{0};
    std::atomic<int> hung{0};
    std::vector<std::thread> clients;
    for (int c = 0; c < 8; ++c) {
        clients.emplace_back([&, c] {
            for (int i = 0; !stop; ++i) {
                const std::string body =
                    R"({"model":"m","stream":true,"prompt":")" + std::to_string(c * 100'000 + i) + "\"}";
                const RawResponse response = ask(gateway.port(), "POST", "/v1/completions", body);
                complete += response.complete ? 1 : 0;
                broken_before_head += response.status != 200 ? 1 : 0;
                hung += !response.complete && response.end == PeerEnd::open ? 1 : 0;
            }
        });
    }
    CHECK(eventually([&] { return complete > 100; }));
    endpoints[0]->stop_accepting();
    endpoints[0]->reset_connections();
    const int at_death = complete;
    CHECK(eventually([&] { return complete > at_death + 200; }));
    stop = true;
    for (std::thread& client : clients) {
        client.join();
    }
    CHECK(broken_before_head == 0);
    CHECK(hung == 0);
}

}  // namespace
}  // namespace warmlane::test
