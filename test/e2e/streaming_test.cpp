#include "e2e/support/gateway.hpp"
#include "e2e/support/http_text.hpp"
#include "e2e/support/raw_client.hpp"
#include "e2e/support/scripted_endpoint.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace warmlane::test {
namespace {

using std::chrono::milliseconds;

const std::string kStream = R"({"model":"m","stream":true,"messages":[{"role":"user","content":"Hello"}]})";

RawClient& start_stream(RawClient& client) {
    client.request("POST", "/v1/chat/completions", kStream);
    return client;
}

TEST_CASE("streaming: the head is there before the first byte of the body exists") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    endpoint.always(
        Script().send(event_stream_head()).hold().send(chunk(chat_event("a")) + std::string(kLastChunk))
    );
    RawClient client(gateway.port());
    CHECK(start_stream(client).read_head().status == 200);
    endpoint.release();
    CHECK(client.read_event()->content == chat_event("a"));
}

TEST_CASE("streaming: each event is there before the next one exists") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    Script script = Script().send(event_stream_head());
    for (int i = 0; i < 10; ++i) {
        script.send(chunk(chat_event(std::to_string(i)))).hold();
    }
    endpoint.always(script.send(std::string(kLastChunk)));
    RawClient client(gateway.port());
    CHECK(start_stream(client).read_head().status == 200);
    for (int i = 0; i < 10; ++i) {
        const auto event = client.read_event();
        REQUIRE(event.has_value());
        CHECK(event->content == chat_event(std::to_string(i)));
        endpoint.release();
    }
}

TEST_CASE("streaming: the framing that the endpoint chose arrives as it left, wherever it was cut") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    const std::vector<std::string> events{
        ": keep-alive\n\n",
        "data:no space\n\n",
        "event: x\ndata: a\ndata: b\n\n",
        chat_event("\xc3\xa9"),
        "data: [DONE]\n\n"
    };
    const std::string whole = event_stream_text(events);
    const std::size_t body_at = whole.find("\r\n\r\n") + 4;
    for (std::size_t cut = body_at; cut < whole.size(); cut += 3) {
        CAPTURE(cut);
        endpoint.next(Script().send(whole.substr(0, cut)).pause(milliseconds{1}).send(whole.substr(cut)));
        RawClient client(gateway.port());
        client.request("POST", "/v1/chat/completions", kStream, "Connection: close\r\n");
        const std::string answer = client.read_to_end();
        CHECK(answer.substr(answer.find("\r\n\r\n") + 4) == whole.substr(body_at));
    }
}

TEST_CASE("streaming: chunk extensions and trailers of an endpoint stay behind") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    endpoint.always(answer(event_stream_head() + "5;x=1\r\nhello\r\n0\r\nX-Trailer: 1\r\n\r\n"));
    RawClient client(gateway.port());
    client.request("POST", "/v1/chat/completions", kStream, "Connection: close\r\n");
    const std::string answer = client.read_to_end();
    CHECK(answer.substr(answer.find("\r\n\r\n") + 4) == "5\r\nhello\r\n0\r\n\r\n");
}

enum class Leaving { by_close, by_reset, by_half_close };

void leave(RawClient& client, Leaving how) {
    switch (how) {
        case Leaving::by_close: client.close(); break;
        case Leaving::by_reset: client.reset(); break;
        case Leaving::by_half_close: client.shutdown_send(); break;
    }
}

TEST_CASE("streaming: a client that leaves takes its request with it, whatever the request waits for") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    const Script before_head = Script().hold();
    const Script before_first_event = Script().send(event_stream_head()).hold();
    const Script mid_stream = Script().send(event_stream_head() + chunk(chat_event("a"))).hold();
    struct Row {
        const char* name;
        Script script;
        bool reads_head;
    };
    const Row rows[] = {
        {"before the head", before_head, false},
        {"before the first event", before_first_event, true},
        {"in mid-stream", mid_stream, true},
    };
    for (const Row& row : rows) {
        for (const Leaving how : {Leaving::by_close, Leaving::by_reset, Leaving::by_half_close}) {
            CAPTURE(row.name);
            CAPTURE(static_cast<int>(how));
            endpoint.next(row.script);
            const std::size_t request = endpoint.requests();
            RawClient client(gateway.port());
            start_stream(client);
            REQUIRE(endpoint.wait_for_requests(request + 1));
            if (row.reads_head) {
                CHECK(client.read_head().status == 200);
            }
            leave(client, how);
            CHECK(endpoint.wait_for_peer_end(request));
        }
    }
    CHECK(eventually([&] { return gateway.metric("warmlane_in_flight_requests") == 0; }));
}

TEST_CASE("streaming: an endpoint that dies between two events leaves an error event and no clean end") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    for (const bool reset : {false, true}) {
        CAPTURE(reset);
        Script script = Script().send(event_stream_head() + chunk(chat_event("a"))).hold();
        endpoint.next(reset ? script.reset() : script.close());
        RawClient client(gateway.port());
        CHECK(start_stream(client).read_head().status == 200);
        CHECK(client.read_event()->content == chat_event("a"));
        endpoint.release();
        const auto error = client.read_event();
        REQUIRE(error.has_value());
        CHECK(error->content.find("data: {\"error\":{") == 0);
        CHECK(client.read_to_end().find("[DONE]") == std::string::npos);
        CHECK(client.buffered().find("0\r\n\r\n") == std::string::npos);
    }
}

TEST_CASE("streaming: an answer that is cut short never looks complete") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    struct Row {
        const char* name;
        std::string sent;
    };
    const Row rows[] = {
        {"inside a chunk", event_stream_head() + "ff\r\ndata: half"},
        {"inside a chunk's size", event_stream_head() + chunk(chat_event("a")) + "f"},
        {"short of its length",
         "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{\"half\":"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        endpoint.next(Script().send(row.sent).close());
        const RawResponse response = ask(gateway.port(), "POST", "/v1/chat/completions", kStream);
        CHECK(response.status == 200);
        CHECK(!response.complete);
        CHECK(response.end != PeerEnd::open);
    }
}

TEST_CASE("streaming: an error event of the endpoint's own passes like any other") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    const std::string error = "data: {\"error\":{\"message\":\"out of memory\"}}\n\n";
    endpoint.always(answer(event_stream_text({chat_event("a"), error, "data: [DONE]\n\n"})));
    const RawResponse response = ask(gateway.port(), "POST", "/v1/chat/completions", kStream);
    CHECK(response.complete);
    CHECK(response.body == chat_event("a") + error + "data: [DONE]\n\n");
}

TEST_CASE("streaming: a slow client slows the endpoint instead of filling memory") {
    ScriptedEndpoint endpoint;
    Gateway gateway(test_config({endpoint.port()}));
    const std::string piece = chunk(std::string(64 * 1024, 'x'));
    std::string script = event_stream_head();
    constexpr int kPieces = 1'600;
    for (int i = 0; i < kPieces; ++i) {
        script += piece;
    }
    endpoint.always(answer(script + std::string(kLastChunk)));
    RawClient client(gateway.port());
    start_stream(client);
    REQUIRE(endpoint.wait_for_requests(1));
    std::size_t taken = 0;
    CHECK(eventually([&] {
        const std::size_t sent = endpoint.journal().at(0).sent_bytes;
        const bool stands_still = sent == taken && sent > 0;
        taken = sent;
        std::this_thread::sleep_for(milliseconds{100});
        return stands_still;
    }));
    CHECK(taken < script.size() / 2);
    const RawResponse response = client.read_response(std::chrono::seconds{60});
    CHECK(response.complete);
    CHECK(response.body.size() == std::size_t{kPieces} * 64 * 1024);
}

}  // namespace
}  // namespace warmlane::test
