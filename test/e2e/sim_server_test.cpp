#include "warmlane/sim/sim_server.hpp"

#include "e2e/support/raw_client.hpp"

#include "warmlane/http/types.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <system_error>
#include <thread>

namespace warmlane::test {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kChat = "/v1/chat/completions";

/// A simulated model server in this process, on a thread of its own.
class RunningSim {
public:
    explicit RunningSim(const sim::SimServerOptions& options) : server_(context_, options) {
        REQUIRE_FALSE(server_.start());
        port_ = server_.port();
        thread_ = std::thread([this] { context_.run(); });
    }
    ~RunningSim() {
        http::asio::post(context_, [this] { server_.stop(); });
        thread_.join();
    }
    RunningSim(const RunningSim&) = delete;
    RunningSim& operator=(const RunningSim&) = delete;

    std::uint16_t port() const { return port_; }

    /// The value behind a key of `/sim/state`.
    std::string state(std::string_view key) const {
        const std::string body = ask(port(), "GET", "/sim/state").body;
        const std::size_t begin = body.find("\"" + std::string(key) + "\":") + key.size() + 3;
        return body.substr(begin, body.find_first_of(",}", begin) - begin);
    }
    bool becomes(std::string_view key, std::string_view value) const {
        const auto end = std::chrono::steady_clock::now() + 5s;
        while (std::chrono::steady_clock::now() < end) {
            if (state(key) == value) {
                return true;
            }
        }
        return false;
    }

private:
    http::asio::io_context context_{1};
    sim::SimServer server_;
    /// Asked for once, before the server has a thread.
    std::uint16_t port_ = 0;
    std::thread thread_;
};

sim::SimServerOptions fast() {
    sim::SimServerOptions options;
    options.engine.speed = 100;
    return options;
}

constexpr std::string_view kStream =
    R"({"messages":[{"role":"user","content":"hi"}],"max_tokens":20,"stream":true})";

}  // namespace

TEST_CASE("sim server: a stream comes as one chunk an event, and the connection goes on") {
    RunningSim server(fast());
    RawClient client(server.port());
    client.request("POST", kChat, kStream);
    CHECK(client.read_head().value_of("content-type") == "text/event-stream; charset=utf-8");
    std::size_t events = 0;
    std::string last;
    for (auto chunk = client.read_chunk(); chunk && !chunk->content.empty(); chunk = client.read_chunk()) {
        CHECK(chunk->content.starts_with("data: "));
        CHECK(chunk->content.find("\n\n") == chunk->content.size() - 2);
        last = chunk->content;
        ++events;
    }
    // Role, 20 tokens, reason, done.
    CHECK(events == 23);
    CHECK(last == "data: [DONE]\n\n");
    client.request("GET", "/health");
    CHECK(client.read_response().status == 200);
}

TEST_CASE("sim server: a client that leaves in the middle, or before the first token, is aborted") {
    sim::SimServerOptions options;
    options.engine.speed = 0.01;
    RunningSim server(options);
    RawClient waiting(server.port());
    waiting.request("POST", kChat, R"({"messages":[{"role":"user","content":"hi"}]})");
    CHECK(server.becomes("running", "1"));
    waiting.close();
    CHECK(server.becomes("aborted_requests", "1"));
    RawClient streaming(server.port());
    streaming.request("POST", kChat, kStream);
    CHECK(streaming.read_head().status == 200);
    streaming.reset();
    CHECK(server.becomes("aborted_requests", "2"));
    CHECK(server.state("running") == "0");
}

TEST_CASE("sim server: an idle connection is closed in time") {
    sim::SimServerOptions options = fast();
    options.keep_alive_timeout = 20ms;
    RunningSim server(options);
    RawClient client(server.port());
    client.request("GET", "/health");
    CHECK(client.read_response().complete);
    CHECK(client.wait_for_end() == PeerEnd::closed);
}

TEST_CASE("sim server: cuts reach the client as a reset, a close and a silence") {
    RunningSim server(fast());
    RawClient reset(server.port());
    reset.request("POST", kChat, kStream, "x-sim-fault: cut=reset; cut_events=3\r\n");
    const RawResponse torn = reset.read_response();
    CHECK_FALSE(torn.complete);
    CHECK(torn.end == PeerEnd::reset);

    RawClient closed(server.port());
    closed.request("POST", kChat, kStream, "x-sim-fault: cut=close; cut_events=3\r\n");
    const RawResponse cut = closed.read_response();
    CHECK_FALSE(cut.complete);
    CHECK(cut.end == PeerEnd::closed);
    CHECK(cut.body.find("data: ") == 0);

    RawClient silent(server.port());
    silent.request("POST", kChat, kStream, "x-sim-fault: cut=stall; cut_events=3\r\n");
    const RawResponse stalled = silent.read_response(100ms);
    CHECK(stalled.body.size() == cut.body.size());
    CHECK_FALSE(stalled.complete);
    CHECK(stalled.end == PeerEnd::open);
    silent.close();
    CHECK(server.becomes("running", "0"));
}

TEST_CASE("sim server: a connection that is closed after its answer does not say so") {
    RunningSim server(fast());
    RawClient client(server.port());
    client.request("GET", "/version", {}, "x-sim-fault: close_after\r\n");
    const RawResponse response = client.read_response();
    CHECK(response.status == 200);
    CHECK(response.complete);
    CHECK_FALSE(response.has("connection"));
    CHECK(client.wait_for_end() == PeerEnd::closed);
}

TEST_CASE("sim server: it refuses connections for a time and comes back at its port") {
    RunningSim server(fast());
    RawClient open_connection(server.port());
    open_connection.request("POST", "/sim/faults", R"({"refuse":"200ms"})");
    CHECK(open_connection.read_response().status == 200);
    CHECK_THROWS(RawClient(server.port()));
    open_connection.request("GET", "/health");
    CHECK(open_connection.read_response().status == 200);
    const auto end = std::chrono::steady_clock::now() + 5s;
    unsigned status = 0;
    while (status == 0 && std::chrono::steady_clock::now() < end) {
        try {
            status = ask(server.port(), "GET", "/health").status;
        } catch (const std::system_error&) {
            std::this_thread::yield();
        }
    }
    CHECK(status == 200);
}

TEST_CASE("sim server: it is stopped while requests run and its port is free again") {
    http::asio::io_context context{1};
    sim::SimServerOptions options;
    options.engine.speed = 0.01;
    auto server = std::make_unique<sim::SimServer>(context, options);
    REQUIRE_FALSE(server->start());
    const std::uint16_t port = server->port();
    std::atomic<bool> to_stop{false};
    RawClient client(port);
    client.request("POST", kChat, kStream);
    std::thread runner([&] {
        auto work = http::asio::make_work_guard(context);
        while (!to_stop) {
            context.run_for(1ms);
        }
        server.reset();
        work.reset();
        context.run();
    });
    CHECK(client.read_head().status == 200);
    to_stop = true;
    runner.join();
    CHECK(client.wait_for_end() != PeerEnd::open);
    CHECK_THROWS(RawClient{port});
}

}  // namespace warmlane::test
