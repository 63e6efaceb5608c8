#include "e2e/support/gateway.hpp"
#include "e2e/support/http_text.hpp"
#include "e2e/support/raw_client.hpp"
#include "e2e/support/scripted_endpoint.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::test {
namespace {

const std::string kChat = R"({"model":"m","messages":[{"role":"user","content":"Hello"}]})";

TEST_CASE("forwarding: the body reaches the endpoint byte for byte, with one framing") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    const std::string odd =
        "{ \"model\" : \"m\",\t\"x\":0.70, \"big\":18446744073709551616,\r\n \"prompt\":\"\\u00e9\" }";
    struct Row {
        const char* name;
        std::string request;
    };
    const Row rows[] = {
        {"with a length",
         "POST /v1/completions HTTP/1.1\r\nHost: t\r\nContent-Length: " + std::to_string(odd.size()) +
             "\r\n\r\n" + odd},
        {"in chunks",
         "POST /v1/completions HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n" +
             chunk(odd.substr(0, 7)) + chunk(odd.substr(7)) + std::string(kLastChunk)},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        const std::size_t before = endpoint.requests();
        RawClient client(gateway.port());
        client.send(row.request);
        CHECK(client.read_response().status == 200);
        const JournalEntry entry = endpoint.journal().at(before);
        CHECK(entry.body == odd);
        CHECK(field_count(entry.head, "Content-Length") == 1);
        CHECK(!entry.has("Transfer-Encoding"));
    }
}

TEST_CASE("forwarding: hop-by-hop fields stop, claims about the way are ours, the rest passes in order") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    const RawResponse response =
        ask(gateway.port(),
            "POST",
            "/v1/chat/completions?trace=1",
            kChat,
            "Connection: keep-alive, X-Private\r\nX-Private: 1\r\nKeep-Alive: timeout=5\r\nTE: trailers\r\n"
            "Upgrade: websocket\r\nX-Forwarded-For: 6.6.6.6\r\nX-Gateway-Destination-Endpoint: 1.2.3.4:80\r\n"
            "Authorization: Bearer k\r\ntraceparent: 00-1-2-01\r\nX-Twice: a\r\nX-Twice: b\r\n");
    CHECK(response.status == 200);
    const JournalEntry entry = endpoint.journal().at(0);
    CHECK(entry.target() == "/v1/chat/completions?trace=1");
    CHECK(entry.value_of("Host") == "127.0.0.1:" + std::to_string(endpoint.port()));
    CHECK(field_count(entry.head, "Host") == 1);
    for (const char* gone : {"X-Private", "Keep-Alive", "TE", "Upgrade", "X-Gateway-Destination-Endpoint"}) {
        CAPTURE(gone);
        CHECK(!entry.has(gone));
    }
    CHECK(entry.value_of("X-Forwarded-For") == "127.0.0.1");
    CHECK(entry.value_of("X-Forwarded-Proto") == "http");
    CHECK(entry.value_of("Via").find("1.1 warmlane") == 0);
    CHECK(entry.value_of("Authorization") == "Bearer k");
    CHECK(entry.value_of("traceparent") == "00-1-2-01");
    CHECK(field_count(entry.head, "X-Twice") == 2);
    CHECK(entry.head.find("X-Twice: a") < entry.head.find("X-Twice: b"));
    CHECK(entry.value_of("x-request-id") == response.value_of("x-request-id"));
    CHECK(!response.value_of("x-request-id").empty());
}

TEST_CASE("forwarding: a client's own request id is kept, an unfit one is replaced") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    CHECK(
        ask(gateway.port(), "POST", "/v1/chat/completions", kChat, "X-Request-Id: mine-1\r\n")
            .value_of("x-request-id") == "mine-1"
    );
    const std::string replaced =
        ask(gateway.port(), "POST", "/v1/chat/completions", kChat, "X-Request-Id: with space\r\n")
            .value_of("x-request-id");
    CHECK(replaced.size() == 36);
}

TEST_CASE("forwarding: status, fields and body of an answer are the endpoint's") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    for (const unsigned status : {200U, 400U, 401U, 404U, 408U, 409U, 413U, 422U, 429U, 500U, 501U}) {
        CAPTURE(status);
        const std::string body =
            "{\"error\":{\"message\":\"from the engine\",\"code\":" + std::to_string(status) + "}}";
        endpoint.next(
            answer(answer_text(status, body, "application/json", "Retry-After: 7\r\nX-Engine: yes\r\n"))
        );
        const std::size_t before = endpoint.requests();
        const RawResponse response = ask(gateway.port(), "POST", "/v1/chat/completions", kChat);
        CHECK(response.status == status);
        CHECK(response.body == body);
        CHECK(response.value_of("Retry-After") == "7");
        CHECK(response.value_of("X-Engine") == "yes");
        CHECK(response.complete);
        CHECK(endpoint.requests() == before + 1);
    }
}

TEST_CASE("forwarding: several requests share one connection, on both sides") {
    ScriptedEndpoint endpoint;
    config::Config config = test_config({endpoint.port()});
    config.threads = 1;
    config.data_layer.metrics.interval = std::chrono::seconds{10};
    Gateway gateway(std::move(config));
    RawClient client(gateway.port());
    for (int i = 0; i < 20; ++i) {
        client.request("POST", "/v1/chat/completions", kChat);
        CHECK(client.read_response().status == 200);
    }
    const auto journal = endpoint.journal();
    REQUIRE(journal.size() == 20);
    CHECK(journal.back().connection == journal.front().connection);
}

TEST_CASE("forwarding: pipelined requests are answered in order") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    endpoint.next(Script().pause(std::chrono::milliseconds{50}).send(answer_text(200, "first")));
    endpoint.next(answer(answer_text(200, "second")));
    endpoint.next(answer(answer_text(200, "third")));
    RawClient client(gateway.port());
    const std::string one =
        "POST /v1/chat/completions HTTP/1.1\r\nHost: t\r\nContent-Length: " + std::to_string(kChat.size()) +
        "\r\n\r\n" + kChat;
    const std::string chunked =
        "POST /v1/chat/completions HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(kChat) +
        std::string(kLastChunk);
    client.send(one + chunked + one);
    CHECK(client.read_response().body == "first");
    CHECK(client.read_response().body == "second");
    CHECK(client.read_response().body == "third");
}

TEST_CASE("forwarding: answers without a body") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    RawClient client(gateway.port());

    endpoint.next(answer("HTTP/1.1 200 OK\r\nContent-Length: 42\r\n\r\n"));
    client.request("HEAD", "/some/file");
    const RawResponse head = client.read_response(kClientTime, true);
    CHECK(head.status == 200);
    CHECK(head.value_of("Content-Length") == "42");

    endpoint.next(answer("HTTP/1.1 204 No Content\r\n\r\n"));
    client.request("DELETE", "/some/file");
    const RawResponse no_content = client.read_response();
    CHECK(no_content.status == 204);
    CHECK(!no_content.has("Content-Length"));
    CHECK(!no_content.has("Transfer-Encoding"));

    endpoint.next(answer("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n"));
    client.request("GET", "/some/file");
    CHECK(client.read_response().status == 304);

    client.request("POST", "/v1/chat/completions", kChat);
    CHECK(client.read_response().status == 200);
}

TEST_CASE("forwarding: Expect: 100-continue is answered before the body, or refused without it") {
    ScriptedEndpoint endpoint;
    config::Config config = test_config({endpoint.port()});
    config.proxy.request_body_bytes_max = 1000;
    Gateway gateway(std::move(config));
    RawClient client(gateway.port());
    const std::string head =
        "POST /v1/chat/completions HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: ";
    client.send(head + std::to_string(kChat.size()) + "\r\n\r\n");
    CHECK(client.read_to_end(std::chrono::milliseconds{300}) == "HTTP/1.1 100 Continue\r\n\r\n");
    client.send(kChat);
    CHECK(client.read_response().status == 200);
    CHECK(!endpoint.journal().at(0).has("Expect"));

    RawClient refused(gateway.port());
    refused.send(head + "1001\r\n\r\n");
    const RawResponse response = refused.read_response();
    CHECK(response.status == 413);
    CHECK(endpoint.requests() == 1);
}

TEST_CASE("forwarding: a client of HTTP/1.0 gets the content without chunks, and the end of the connection") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    endpoint.always(answer(event_stream_text({chat_event("a"), chat_event("b")})));
    RawClient client(gateway.port());
    client.send(
        "POST /v1/chat/completions HTTP/1.0\r\nHost: t\r\nContent-Length: " + std::to_string(kChat.size()) +
        "\r\n\r\n" + kChat
    );
    const std::string answer = client.read_to_end();
    CHECK(answer.find("Transfer-Encoding") == std::string::npos);
    CHECK(answer.find("Connection: close") != std::string::npos);
    CHECK(answer.substr(answer.find("\r\n\r\n") + 4) == chat_event("a") + chat_event("b"));
}

TEST_CASE("forwarding: an answer that ends with the endpoint's connection becomes chunked") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    endpoint.always(
        Script().send("HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\nsome").send("thing").close()
    );
    RawClient client(gateway.port());
    for (int i = 0; i < 2; ++i) {
        client.request("POST", "/v1/chat/completions", kChat);
        const RawResponse response = client.read_response();
        CHECK(response.complete);
        CHECK(response.body == "something");
        CHECK(response.value_of("Transfer-Encoding") == "chunked");
    }
}

TEST_CASE("forwarding: interim answers are not passed on") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    endpoint.always(Script().send("HTTP/1.1 100 Continue\r\n\r\n").send(answer_text(200, "ok")));
    RawClient client(gateway.port());
    client.request("POST", "/v1/chat/completions", kChat);
    CHECK(client.read_response().body == "ok");
}

TEST_CASE("forwarding: an answer that comes before the whole body was sent is passed on at once") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    endpoint.next(Script().before_body().send(answer_text(413, "too much")).close());
    const std::string large = R"({"model":"m","prompt":")" + std::string(20 * 1024 * 1024, 'x') + "\"}";
    const RawResponse response = ask(gateway.port(), "POST", "/v1/completions", large);
    CHECK(response.status == 413);
    CHECK(response.body == "too much");
}

TEST_CASE(
    "forwarding: what Beast would join, count twice or let through is refused before any endpoint sees it"
) {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    struct Row {
        const char* name;
        std::string head;
    };
    const Row rows[] = {
        {"length and chunks", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n"},
        {"two lengths", "Content-Length: 3\r\nContent-Length: 3\r\n"},
        {"another coding", "Transfer-Encoding: gzip, chunked\r\n"},
        {"space before the colon", "Content-Length : 3\r\n"},
        {"a folded line", "X-A: b\r\n c\r\nContent-Length: 3\r\n"},
        {"a second Host", "Host: u\r\nContent-Length: 3\r\n"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        RawClient client(gateway.port());
        client.send("POST /v1/chat/completions HTTP/1.1\r\nHost: t\r\n" + row.head + "\r\nabc");
        const RawResponse response = client.read_response();
        CHECK((response.status == 400 || response.status == 501));
        CHECK(response.value_of("Connection") == "close");
    }
    CHECK(endpoint.requests() == 0);
}

}  // namespace
}  // namespace warmlane::test
