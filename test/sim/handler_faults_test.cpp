#include "handler_bench.hpp"

#include <boost/json/value.hpp>
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <numeric>

namespace warmlane::sim::test {

namespace json = boost::json;

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
        HandlerBench bench;
        const Reply reply = bench.ask("POST", kChat, body, row.fault);
        const std::size_t head_end = reply.raw.find("\r\n\r\n");
        REQUIRE(head_end != std::string::npos);
        CHECK(reply.raw.starts_with("HTTP/1.1 200 OK\r\n"));
        CHECK(chunks_of(reply.raw.substr(head_end + 4)).size() == row.chunks);
        CHECK_FALSE(reply.complete);
        CHECK(reply.closed);
        CHECK(reply.reset == row.reset);
    }
    for (const std::size_t bytes : {0U, 1U, 20U, 300U, 501U}) {
        CAPTURE(bytes);
        HandlerBench bench;
        const Reply reply = bench.ask("POST", kChat, body, fmt::format("cut=reset;cut_bytes={}", bytes));
        CHECK(reply.raw.size() == bytes);
        CHECK(reply.reset);
    }
    HandlerBench bench;
    const Reply whole = bench.ask("POST", kChat, chat_body("hi"), "cut=close;cut_events=0");
    CHECK(whole.raw.find("Content-Length: ") != std::string::npos);
    CHECK(whole.raw.ends_with("\r\n\r\n"));
}

TEST_CASE("handler: a status, an error event, garbage and a silent close on demand") {
    HandlerBench bench;
    const std::string body = chat_body("hi", R"(,"max_tokens":4,"stream":true)");
    const Reply refused = bench.ask("POST", kChat, body, "status=429; retry_after=7");
    CHECK(refused.status == 429);
    CHECK(refused.value_of("Retry-After") == "7");
    const Reply failed = bench.ask("POST", kChat, body, "error_events=2");
    const std::vector<std::string> chunks = failed.chunks();
    REQUIRE(chunks.size() == 4);
    CHECK(chunks[2].starts_with(R"(data: {"error":{"message":)"));
    CHECK(chunks[3].empty());
    CHECK(failed.complete);
    const Reply garbage = bench.ask("POST", kChat, body, "garbage");
    CHECK_FALSE(garbage.raw.empty());
    CHECK(garbage.raw.find("HTTP/1.1") == std::string::npos);
    const Reply closed = bench.ask("POST", kChat, body, "close_after=true");
    CHECK(closed.complete);
    CHECK(closed.closed);
    CHECK_FALSE(closed.reset);
    CHECK(bench.ask("POST", kChat, body, "nonsense=1").status == 400);
}

TEST_CASE("handler: events can be gathered into large chunks or sliced into small ones") {
    HandlerBench bench;
    const std::string body = chat_body("hi", R"(,"max_tokens":4,"stream":true)");
    const auto joined = [](const std::vector<std::string>& chunks) {
        return std::accumulate(chunks.begin(), chunks.end(), std::string());
    };
    const std::vector<std::string> plain = bench.ask("POST", kChat, body).chunks();
    const std::vector<std::string> large = bench.ask("POST", kChat, body, "chunk_bytes=1000000").chunks();
    CHECK(large.size() == 2);
    const std::vector<std::string> small = bench.ask("POST", kChat, body, "slice_bytes=7").chunks();
    for (std::size_t i = 0; i + 1 < small.size(); ++i) {
        CHECK(small[i].size() <= 7);
    }
    CHECK(small.size() > joined(plain).size() / 7);
    CHECK(joined(large).size() == joined(plain).size());
    CHECK(joined(small).size() == joined(plain).size());
}

TEST_CASE("handler: a server's fault hits its share of its paths until it is taken away") {
    HandlerBench bench;
    const std::string fault = R"({"status":503,"share":0.25,"path":"/v1/completions"})";
    const json::value set = bench.ask("POST", "/sim/faults", fault).json();
    CHECK(set.at("share").as_double() == 0.25);
    CHECK(bench.ask("GET", "/sim/faults").json() == set);
    int hits = 0;
    for (int i = 0; i < 200; ++i) {
        hits +=
            bench.ask("POST", "/v1/completions", R"({"prompt":"a","max_tokens":1})").status == 503 ? 1 : 0;
    }
    CHECK(hits > 25);
    CHECK(hits < 75);
    CHECK(bench.ask("POST", kChat, chat_body("hi")).status == 200);
    bench.ask("DELETE", "/sim/faults");
    for (int i = 0; i < 20; ++i) {
        CHECK(bench.ask("POST", "/v1/completions", R"({"prompt":"a","max_tokens":1})").status == 200);
    }
    CHECK(bench.ask("POST", "/sim/faults", R"({"sttus":503})").status == 400);
    bench.ask("POST", "/sim/faults", R"({"refuse":"250ms"})");
    CHECK(bench.refused() == std::chrono::milliseconds{250});
}

}  // namespace warmlane::sim::test
