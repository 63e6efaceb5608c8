#include "datalayer/endpoint_judge.hpp"

#include "datalayer/recording_listener.hpp"
#include "support/captured_stderr.hpp"
#include "support/fake_clock.hpp"

#include "warmlane/observability/log.hpp"

#include <boost/asio/error.hpp>
#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace warmlane::datalayer {
namespace {

using Answer = EndpointJudge::Answer;
using Names = std::vector<std::string>;

Answer answer(unsigned status, std::string body = {}) {
    return http::FetchResponse{.status = status, .fields = {}, .body = std::move(body)};
}

Answer page(double start_time, int waiting = 1) {
    return answer(
        200,
        "process_start_time_seconds " + std::to_string(start_time) + "\nvllm:num_requests_waiting " +
            std::to_string(waiting) + "\n"
    );
}

const Answer kRefused = make_error_code(Errc::connect_failed);
const Answer kTimeout = make_error_code(Errc::total_timeout);

struct Fixture {
    Fixture() { observability::log().set_level(spdlog::level::off); }

    const EndpointStatus& status() const { return *pool.find("a"); }
    /// What is shown of the endpoint's metrics; all absent when there are none.
    EndpointMetrics shown() const { return status().metrics.value_or(EndpointMetrics{}); }
    bool scrape(const Answer& got, bool serves_requests = true) {
        clock.advance(std::chrono::milliseconds{200});
        return judge.on_scrape(got, {clock.now(), endpoint->decided_requests}, serves_requests);
    }
    void take_down() {
        for (int i = 0; i < 3; ++i) {
            judge.on_request(Contact::connect_failed, "connection refused");
        }
        REQUIRE(status().state == EndpointState::down);
    }
    void come_back(const Answer& got) {
        REQUIRE(judge.on_probe(answer(200)));
        judge.on_return(got, {clock.now(), 0});
    }
    bool counted_scrape_errors(int count) const {
        const std::string line =
            "warmlane_scrape_errors_total{endpoint=\"a\"} " + std::to_string(count) + "\n";
        return metrics.page().find(line) != std::string::npos;
    }

    test::FakeClock clock;
    test::RecordingListener listener;
    EndpointPool pool = [this] {
        EndpointPool made(std::chrono::seconds{2}, listener);
        made.reconcile({test::spec_of("a")});
        return made;
    }();
    observability::Metrics metrics;
    std::shared_ptr<Endpoint> endpoint = pool.find("a")->endpoint;
    EndpointJudge judge{endpoint, 3, {pool, metrics, clock}};
};

}  // namespace

TEST_CASE("judge: a good scrape becomes the endpoint's metrics, with the moment it began") {
    Fixture f;
    f.endpoint->decided_requests = 17;
    CHECK_FALSE(f.scrape(page(100, 5)));
    CHECK(f.shown().waiting == 5);
    CHECK(f.shown().decided_at_scrape == 17);
    CHECK(f.status().metrics_time == f.clock.now());
    CHECK(f.status().last_error.empty());
    CHECK(f.listener.forgotten.empty());
}

TEST_CASE("judge: a scrape that gives nothing leaves the old metrics, and is counted and told") {
    struct Row {
        const char* name;
        Answer answer;
        std::string error;
        int counted;
    };
    const Row rows[] = {
        {"time-out", kTimeout, "metrics: " + kTimeout.error().message(), 1},
        {"unauthorized", answer(401), "metrics: answered 401", 1},
        {"redirect", answer(302), "metrics: answered 302; redirects are not followed", 1},
        {"server error", answer(500), "metrics: answered 500", 1},
        {"another kind of page",
         answer(200, "<html>"),
         "metrics: the page has none of the engine's metrics",
         1},
        {"no page", answer(404), "metrics: there is no metrics page (404), its load counts as unknown", 0},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        Fixture f;
        f.scrape(page(100, 5));
        const TimePoint time = f.status().metrics_time;
        f.scrape(row.answer);
        CHECK(f.shown().waiting == 5);
        CHECK(f.status().metrics_time == time);
        CHECK(f.status().state == EndpointState::up);
        CHECK(f.status().last_error == row.error);
        CHECK(f.counted_scrape_errors(1) == (row.counted == 1));
        f.scrape(page(100, 6));
        CHECK(f.shown().waiting == 6);
        CHECK(f.status().last_error.empty());
    }
}

TEST_CASE("judge: a page that lacks the queue is used and told") {
    Fixture f;
    f.scrape(answer(200, "vllm:kv_cache_usage_perc 0.5\n"));
    CHECK(f.shown().kv_usage == 0.5);
    CHECK(f.status().last_error == "metrics: the page does not tell the length of the queue");
    CHECK_FALSE(f.counted_scrape_errors(1));
}

TEST_CASE("judge: scrapes that find no connection take the endpoint down, where they go to the same port") {
    Fixture same;
    same.scrape(page(100));
    for (int i = 0; i < 3; ++i) {
        same.scrape(kRefused);
    }
    CHECK(same.status().state == EndpointState::down);
    CHECK(same.status().last_error == kRefused.error().message());

    Fixture other;
    other.scrape(page(100), false);
    for (int i = 0; i < 30; ++i) {
        other.scrape(kRefused, false);
    }
    CHECK(other.status().state == EndpointState::up);
    CHECK(other.status().last_error == "metrics: " + kRefused.error().message());
    CHECK(other.counted_scrape_errors(30));
}

TEST_CASE("judge: hanging metrics never take an endpoint down") {
    Fixture f;
    for (int i = 0; i < 100; ++i) {
        f.scrape(kTimeout);
    }
    CHECK(f.status().state == EndpointState::up);
}

TEST_CASE("judge: an endpoint that shows its metrics and breaks every request goes down") {
    Fixture f;
    for (int i = 0; i < 3; ++i) {
        f.scrape(page(100));
        f.judge.on_request(Contact::broken, "");
    }
    CHECK(f.status().state == EndpointState::down);
    CHECK(f.status().last_error == "the answer broke off or was malformed");
}

TEST_CASE("judge: the count that the request path looks at says whether a success changes anything") {
    Fixture f;
    f.scrape(page(100));
    CHECK(f.endpoint->consecutive_failures == 0);
    f.judge.on_request(Contact::unavailable, "");
    CHECK(f.endpoint->consecutive_failures > 0);
    f.judge.on_request(Contact::answered, "");
    CHECK(f.endpoint->consecutive_failures == 0);
    CHECK(f.status().state == EndpointState::up);
    CHECK(f.status().last_error.empty());
}

TEST_CASE("judge: what a failure says is escaped") {
    Fixture f;
    f.judge.on_request(Contact::broken, "bad\r\nline");
    CHECK(f.status().last_error == "bad\\x0d\\x0aline");
}

TEST_CASE("judge: a probe is passed by any answer below 500") {
    struct Row {
        const char* name = "";
        Answer answer;
        bool alive = false;
    };
    const Row rows[] = {
        {"ok", answer(200), true},
        {"no such path", answer(404), true},
        {"unauthorized", answer(401), true},
        {"loading", answer(503), false},
        {"refused", kRefused, false},
        {"hanging", kTimeout, false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        Fixture f;
        f.scrape(page(100));
        f.take_down();
        CHECK(f.judge.on_probe(row.answer) == row.alive);
        CHECK(f.status().state == EndpointState::down);
    }
}

TEST_CASE("judge: a replaced process is forgotten, once, and before its metrics are shown") {
    Fixture f;
    f.scrape(page(100));
    CHECK_FALSE(f.scrape(page(100)));
    CHECK(f.listener.forgotten.empty());
    CHECK(f.scrape(page(200)));
    CHECK_FALSE(f.scrape(page(200)));
    CHECK(f.listener.forgotten == Names{"a"});
}

TEST_CASE("judge: what is believed of an endpoint that returns depends on whether it can be the same process"
) {
    struct Row {
        const char* name;
        Answer before;
        Answer after;
        Names forgotten;
    };
    const Answer without_start = answer(200, "vllm:num_requests_waiting 1\n");
    const Row rows[] = {
        {"same start time: the network was cut", page(100), page(100), {}},
        {"another start time", page(100), page(200), {"a"}},
        {"no start time", without_start, without_start, {"a"}},
        {"no metrics", page(100), kTimeout, {"a"}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        Fixture f;
        f.scrape(row.before);
        f.take_down();
        const std::size_t snapshots = f.listener.snapshots;
        f.come_back(row.after);
        CHECK(f.status().state == EndpointState::up);
        CHECK(f.listener.forgotten == row.forgotten);
        CHECK(f.listener.snapshots == snapshots + 1);
    }
}

TEST_CASE("judge: an endpoint that broke requests and was reachable all the time keeps its cache") {
    Fixture f;
    f.scrape(page(100));
    for (int i = 0; i < 3; ++i) {
        f.judge.on_request(Contact::broken, "");
    }
    f.come_back(kTimeout);
    CHECK(f.status().state == EndpointState::suspect);
    CHECK(f.listener.forgotten.empty());
}

TEST_CASE("judge: the address of a name can change, and leads to another process then") {
    Fixture f;
    f.judge.on_address("10.0.0.5");
    CHECK(f.status().address == "10.0.0.5");
    CHECK(f.listener.forgotten.empty());
    f.judge.on_address("10.0.0.5");
    CHECK(f.listener.forgotten.empty());
    f.judge.on_address("10.0.0.6");
    CHECK(f.status().address == "10.0.0.6");
    CHECK(f.listener.forgotten == Names{"a"});
    f.judge.on_address_failure("llm.example", make_error_code(boost::asio::error::host_not_found));
    CHECK(f.status().address == "10.0.0.6");
    CHECK(f.status().last_error.starts_with("cannot resolve llm.example: "));
}

TEST_CASE("judge: steady faults are told once, and their end") {
    Fixture f;
    observability::log().set_level(spdlog::level::info);
    const test::CapturedStderr captured;
    f.scrape(page(100));
    for (int i = 0; i < 300; ++i) {
        f.scrape(answer(401));
    }
    f.scrape(page(100));
    for (int i = 0; i < 300; ++i) {
        f.judge.on_request(Contact::connect_failed, "refused");
        f.judge.on_probe(kRefused);
    }
    f.come_back(page(100));
    const auto lines = captured.lines();
    REQUIRE(lines.size() == 5);
    CHECK(lines[0].ends_with("warning endpoint a: metrics: answered 401"));
    CHECK(lines[1].ends_with("info    endpoint a: its metrics can be read"));
    CHECK(lines[2].ends_with("info    endpoint a (10.0.0.1:8000) is suspect: refused"));
    CHECK(lines[3].ends_with("warning endpoint a (10.0.0.1:8000) is down: refused"));
    CHECK(lines[4].ends_with("info    endpoint a (10.0.0.1:8000) is up"));
}

TEST_CASE("judge: what flaps is told every ten seconds at most") {
    Fixture f;
    observability::log().set_level(spdlog::level::info);
    const test::CapturedStderr captured;
    // A minute, in which everything fails every other time.
    for (int i = 0; i < 300; ++i) {
        f.scrape(i % 2 == 0 ? answer(401) : page(100));
        f.judge.on_request(i % 2 == 0 ? Contact::broken : Contact::answered, "");
    }
    const std::size_t lines = captured.lines().size();
    CHECK(lines >= 4);
    CHECK(lines <= 24);
}

TEST_CASE("judge: of a host with two addresses the second one can be the right one") {
    Fixture f;
    f.judge.on_address("::1");
    f.scrape(kRefused);
    CHECK(f.status().state == EndpointState::down);
    f.judge.on_probe(kRefused);
    f.judge.on_address("127.0.0.1");
    CHECK(f.listener.forgotten.empty());
    f.come_back(page(100));
    CHECK(f.status().state == EndpointState::up);
    CHECK(f.status().address == "127.0.0.1");
}

TEST_CASE("judge: models are shown as the endpoint listed them") {
    Fixture f;
    f.judge.on_models({{"m", R"({"id":"m"})"}});
    REQUIRE(f.status().models);
    REQUIRE(f.status().models->size() == 1);
    CHECK(f.status().models->front().id == "m");
}

}  // namespace warmlane::datalayer
