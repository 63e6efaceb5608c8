#include "e2e/support/raw_client.hpp"
#include "e2e/support/scripted_endpoint.hpp"

#include <doctest/doctest.h>

namespace warmlane::test {

using namespace std::chrono_literals;

TEST_CASE("support: an endpoint sends exactly its script, and keeps the request as it came") {
    ScriptedEndpoint endpoint;
    endpoint.next(answer(answer_text(201, "one")));
    endpoint.next(answer(event_stream_text({"data: a\n\n", "data: b\n\n"})));
    RawClient client(endpoint.port());
    client.send("POST /x?y HTTP/1.1\r\nHost: t\r\ncontent-length: 4\r\nX-A: b\r\n\r\nbody");
    const RawResponse first = client.read_response();
    CHECK(first.status == 201);
    CHECK(first.body == "one");
    CHECK(first.complete);
    CHECK(first.value_of("content-type") == "application/json");
    client.request("POST", "/v1/completions", "{}");
    CHECK(client.read_head().status == 200);
    CHECK(client.read_chunk()->content == "data: a\n\n");
    CHECK(client.read_event()->content == "data: b\n\n");
    CHECK(client.read_chunk()->content.empty());
    const std::vector<JournalEntry> journal = endpoint.journal();
    REQUIRE(journal.size() == 2);
    CHECK(journal[0].head == "POST /x?y HTTP/1.1\r\nHost: t\r\ncontent-length: 4\r\nX-A: b\r\n\r\n");
    CHECK(journal[0].body == "body");
    CHECK(journal[0].method() == "POST");
    CHECK(journal[0].target() == "/x?y");
    CHECK(journal[0].value_of("x-a") == "b");
    CHECK(journal[0].connection == 1);
    CHECK(journal[1].connection == 1);
}

TEST_CASE("support: a chunked request is read to its last chunk, framing and all") {
    ScriptedEndpoint endpoint;
    RawClient client(endpoint.port());
    client.send("POST / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n");
    client.send("0\r\n\r\n");
    CHECK(client.read_response().status == 200);
    CHECK(endpoint.journal().at(0).body == "3\r\nabc\r\n0\r\n\r\n");
}

TEST_CASE("support: close and reset are told apart on both sides") {
    ScriptedEndpoint endpoint;
    endpoint.next(Script().send(event_stream_head() + chunk("x")).close());
    endpoint.next(Script().send(event_stream_head() + chunk("x")).reset());
    RawClient closed(endpoint.port());
    closed.request("POST", "/a", "{}");
    const RawResponse first = closed.read_response();
    CHECK(first.body == "x");
    CHECK_FALSE(first.complete);
    CHECK(first.end == PeerEnd::closed);
    RawClient reset(endpoint.port());
    reset.request("POST", "/b", "{}");
    CHECK(reset.wait_for_end() == PeerEnd::reset);

    endpoint.always(Script().hold());
    RawClient leaving(endpoint.port());
    leaving.request("POST", "/c", "{}");
    REQUIRE(endpoint.wait_for_requests(3));
    leaving.close();
    CHECK(endpoint.wait_for_peer_end(2));
    CHECK(endpoint.journal().at(2).peer_end == PeerEnd::closed);
    RawClient resetting(endpoint.port());
    resetting.request("POST", "/d", "{}");
    REQUIRE(endpoint.wait_for_requests(4));
    resetting.reset();
    CHECK(endpoint.wait_for_peer_end(3));
    CHECK(endpoint.journal().at(3).peer_end == PeerEnd::reset);
}

TEST_CASE("support: a script holds until it is released, and a read gives up at its deadline") {
    ScriptedEndpoint endpoint;
    endpoint.next(Script().send(event_stream_head()).hold().send(chunk("a")).hold().send(chunk("b")));
    RawClient client(endpoint.port());
    client.request("POST", "/a", "{}");
    CHECK(client.read_head().status == 200);
    CHECK_FALSE(client.read_chunk(20ms).has_value());
    CHECK(client.peer_end() == PeerEnd::open);
    endpoint.release();
    CHECK(client.read_chunk()->content == "a");
    CHECK_FALSE(client.read_chunk(20ms).has_value());
    endpoint.release();
    CHECK(client.read_chunk()->content == "b");
    CHECK(endpoint.wait_until_answered(0));
}

TEST_CASE("support: scrapes and probes have answers of their own and stay out of the journal") {
    ScriptedEndpoint endpoint;
    endpoint.set_load(1, 2, 0.5);
    RawClient client(endpoint.port());
    client.request("GET", "/metrics");
    const std::string page = client.read_response().body;
    CHECK(page.find("vllm:num_requests_waiting{engine=\"0\",model_name=\"m\"} 2\n") != std::string::npos);
    client.request("GET", "/v1/models");
    CHECK(client.read_response().status == 200);
    endpoint.set_health(answer_text(503, ""));
    CHECK(ask(endpoint.port(), "GET", "/health").status == 503);
    endpoint.set_metrics("");
    client.request("GET", "/metrics");
    CHECK(client.read_response().status == 0);
    CHECK(endpoint.scrapes() == 2);
    CHECK(endpoint.requests() == 0);
    CHECK(endpoint.connections() == 2);
}

TEST_CASE("support: an endpoint refuses connections, resets open ones and comes back at its port") {
    ScriptedEndpoint endpoint;
    RawClient client(endpoint.port());
    client.request("GET", "/health");
    CHECK(client.read_response().status == 200);
    endpoint.stop_accepting();
    CHECK_THROWS(RawClient(endpoint.port()));
    endpoint.reset_connections();
    CHECK(client.wait_for_end() == PeerEnd::reset);
    endpoint.accept_again();
    CHECK(ask(endpoint.port(), "GET", "/health").status == 200);
    endpoint.close_on_accept(true);
    CHECK(RawClient(endpoint.port()).wait_for_end() == PeerEnd::closed);
}

TEST_CASE("support: an answer may come before the body, and a peer that does not read is felt") {
    ScriptedEndpoint endpoint;
    endpoint.next(Script().before_body().send(answer_text(413, "")).close());
    RawClient client(endpoint.port());
    client.send("POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 100\r\n\r\n");
    CHECK(client.read_response().status == 413);

    std::string long_body;
    long_body.resize(64'000'000, 'x');
    endpoint.next(answer(answer_text(200, long_body)));
    RawClient lazy(endpoint.port());
    lazy.socket().shrink_buffers(8 * 1024);
    lazy.request("POST", "/b", "{}");
    REQUIRE(endpoint.wait_for_requests(2));
    CHECK_FALSE(endpoint.wait_until_answered(1, 50ms));
    CHECK(endpoint.journal().at(1).sent_bytes < 64'000'000);
}

}  // namespace warmlane::test
