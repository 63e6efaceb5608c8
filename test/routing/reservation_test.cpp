#include "support/fleet.hpp"

#include "warmlane/routing/decision.hpp"

#include <doctest/doctest.h>

namespace warmlane::routing {
namespace {

struct Fixture {
    void expect(std::int64_t requests, std::int64_t tokens) const {
        CHECK(endpoint->in_flight_requests == requests);
        CHECK(endpoint->in_flight_tokens == tokens);
    }

    test::Fleet fleet{1};
    std::shared_ptr<Endpoint> endpoint = fleet.pool.endpoints[0].endpoint;
};

}  // namespace

TEST_CASE("reservation: load is on while it lives") {
    Fixture f;
    {
        const Reservation reservation(f.endpoint, 50);
        f.expect(1, 50);
    }
    f.expect(0, 0);
}

TEST_CASE("reservation: released once, however often asked") {
    Fixture f;
    Reservation reservation(f.endpoint, 50);
    reservation.release_tokens();
    f.expect(1, 0);
    reservation.release_tokens();
    f.expect(1, 0);
    reservation.release();
    f.expect(0, 0);
    reservation.release();
    reservation.release_tokens();
    f.expect(0, 0);
}

TEST_CASE("reservation: moves with its load") {
    Fixture f;
    Reservation first(f.endpoint, 50);
    Reservation second(std::move(first));
    f.expect(1, 50);
    Reservation third(f.endpoint, 7);
    f.expect(2, 57);
    third = std::move(second);
    f.expect(1, 50);
    third = Reservation();
    f.expect(0, 0);
}

TEST_CASE("reservation: keeps its endpoint alive") {
    Fixture f;
    const std::weak_ptr<Endpoint> watch = f.endpoint;
    Reservation reservation(f.endpoint, 1);
    f.endpoint.reset();
    f.fleet.pool.endpoints.clear();
    CHECK_FALSE(watch.expired());
    reservation.release();
    CHECK(watch.expired());
}

}  // namespace warmlane::routing
