#include "warmlane/datalayer/endpoint_pool.hpp"

#include "datalayer/recording_listener.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

namespace warmlane::datalayer {
namespace {

using test::spec_of;

struct Fixture {
    std::shared_ptr<Endpoint> endpoint(const std::string& name) const {
        const EndpointStatus* status = pool.find(name);
        REQUIRE(status != nullptr);
        return status->endpoint;
    }
    std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const EndpointStatus& status : listener.last->endpoints) {
            names.push_back(status.endpoint->name());
        }
        return names;
    }
    /// Drops the pictures that still hold endpoints which have left.
    void let_go() {
        listener.last.reset();
        pool.publish_if_changed();
    }

    test::RecordingListener listener;
    EndpointPool pool{std::chrono::seconds{2}, listener};
};

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("endpoint pool: membership is published at once, in the order of the configuration") {
    Fixture f;
    f.pool.reconcile({spec_of("b"), spec_of("a"), spec_of("c")});
    CHECK(f.listener.snapshots == 1);
    CHECK(f.names() == Names{"b", "a", "c"});
    CHECK(f.listener.last->generation == 1);
    CHECK(f.listener.last->metrics_stale_after == std::chrono::seconds{2});
    CHECK(f.pool.published() == f.listener.last);
    f.pool.reconcile({spec_of("c"), spec_of("b")});
    CHECK(f.names() == Names{"c", "b"});
    CHECK(f.listener.last->generation == 2);
    CHECK(f.listener.forgotten == Names{"a"});
}

TEST_CASE("endpoint pool: what stays is the same endpoint with its status and its counts") {
    Fixture f;
    f.pool.reconcile({spec_of("a"), spec_of("b")});
    const auto a = f.endpoint("a");
    a->in_flight_requests = 3;
    f.pool.update(*a, [](EndpointStatus& status) { status.state = EndpointState::down; });
    f.pool.reconcile({spec_of("c"), spec_of("a")});
    CHECK(f.endpoint("a") == a);
    CHECK(f.pool.find("a")->state == EndpointState::down);
}

TEST_CASE("endpoint pool: an endpoint whose spec changed is another one") {
    Fixture f;
    f.pool.reconcile({spec_of("a", 8000)});
    const auto before = f.endpoint("a");
    f.pool.reconcile({spec_of("a", 8001)});
    CHECK(f.endpoint("a") != before);
    CHECK(f.endpoint("a")->spec().port == 8001);
    CHECK(f.endpoint("a")->slot() != before->slot());
    CHECK(f.listener.forgotten == Names{"a"});
}

TEST_CASE("endpoint pool: of two endpoints with one name the first counts") {
    Fixture f;
    f.pool.reconcile({spec_of("a", 1), spec_of("a", 2)});
    CHECK(f.names() == Names{"a"});
    CHECK(f.endpoint("a")->spec().port == 1);
}

TEST_CASE("endpoint pool: slots are dense, and reused when nobody can refer to their owner") {
    Fixture f;
    f.pool.reconcile({spec_of("a"), spec_of("b"), spec_of("c")});
    CHECK(f.endpoint("a")->slot() == 0);
    CHECK(f.endpoint("c")->slot() == 2);
    auto running_request = f.endpoint("b");
    f.pool.reconcile({spec_of("a"), spec_of("c")});
    f.let_go();
    CHECK(f.listener.forgotten == Names{"b"});
    f.pool.reconcile({spec_of("a"), spec_of("c"), spec_of("d")});
    CHECK(f.endpoint("d")->slot() == 3);

    running_request.reset();
    f.let_go();
    CHECK(f.listener.forgotten == Names{"b", "b"});
    f.pool.reconcile({spec_of("a"), spec_of("c"), spec_of("d"), spec_of("e"), spec_of("f")});
    CHECK(f.endpoint("e")->slot() == 1);
    CHECK(f.endpoint("f")->slot() == 4);
}

TEST_CASE("endpoint pool: an IP literal is an address at once, a name is not") {
    Fixture f;
    EndpointSpec v6 = spec_of("v6");
    v6.host = "fd00::2";
    EndpointSpec named = spec_of("named");
    named.host = "llm.example";
    f.pool.reconcile({spec_of("v4"), v6, named});
    CHECK(f.pool.find("v4")->address == "10.0.0.1");
    CHECK(f.pool.find("v6")->address == "fd00::2");
    CHECK(f.pool.find("v6")->takes_traffic());
    CHECK(f.pool.find("named")->address.empty());
    CHECK_FALSE(f.pool.find("named")->takes_traffic());
}

TEST_CASE("endpoint pool: metrics wait for the next publication, state and address do not") {
    Fixture f;
    f.pool.reconcile({spec_of("a")});
    const auto a = f.endpoint("a");
    const PoolSnapshotPtr first = f.listener.last;

    f.pool.update(*a, [](EndpointStatus& status) { status.metrics.emplace().waiting = 4; });
    CHECK(f.listener.snapshots == 1);
    CHECK(f.pool.find("a")->metrics.value_or(EndpointMetrics{}).waiting == 4);
    f.pool.publish_if_changed();
    CHECK(f.listener.snapshots == 2);
    CHECK(f.listener.last->endpoints[0].metrics.value_or(EndpointMetrics{}).waiting == 4);
    CHECK(f.listener.last->generation == first->generation);
    f.pool.publish_if_changed();
    CHECK(f.listener.snapshots == 2);

    f.pool.update(*a, [](EndpointStatus& status) { status.state = EndpointState::suspect; });
    CHECK(f.listener.snapshots == 3);
    CHECK(f.listener.last->generation == first->generation + 1);
    f.pool.update(*a, [](EndpointStatus& status) { status.address = "10.0.0.7"; });
    CHECK(f.listener.snapshots == 4);
    CHECK(f.listener.last->generation == first->generation + 2);

    // What was published does not change.
    CHECK_FALSE(first->endpoints[0].metrics);
    CHECK(first->endpoints[0].state == EndpointState::up);
}

TEST_CASE("endpoint pool: news of an endpoint that has left is dropped") {
    Fixture f;
    f.pool.reconcile({spec_of("a"), spec_of("b")});
    const auto a = f.endpoint("a");
    f.pool.reconcile({spec_of("b")});
    f.pool.update(*a, [](EndpointStatus& status) { status.state = EndpointState::down; });
    CHECK(f.listener.snapshots == 2);
    CHECK(f.pool.find("a") == nullptr);
}

}  // namespace warmlane::datalayer
