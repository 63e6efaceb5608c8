#include "warmlane/core/endpoint.hpp"

#include <doctest/doctest.h>

namespace warmlane {

TEST_CASE("endpoint: the authority is what a Host field needs") {
    struct Row {
        const char* name;
        std::string host;
        std::uint16_t port;
        std::string authority;
    };
    const Row rows[] = {
        {"name and port", "model-a.local", 8000, "model-a.local:8000"},
        {"the default port is left out", "10.0.0.1", 80, "10.0.0.1"},
        {"an IPv6 literal gets brackets", "fd00::2", 8000, "[fd00::2]:8000"},
        {"brackets without a port", "::1", 80, "[::1]"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        EndpointSpec spec;
        spec.host = row.host;
        spec.port = row.port;
        CHECK(Endpoint(spec, 0).authority() == row.authority);
    }
}

TEST_CASE("endpoint: only an up or suspect endpoint with an address takes traffic") {
    struct Row {
        EndpointState state;
        const char* word;
        bool takes_traffic;
    };
    const Row rows[] = {
        {EndpointState::up, "up", true},
        {EndpointState::suspect, "suspect", true},
        {EndpointState::down, "down", false},
        {EndpointState::draining, "draining", false},
        {EndpointState::ejected, "ejected", false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.word);
        CHECK(std::string(to_string(row.state)) == row.word);
        EndpointStatus status;
        status.state = row.state;
        CHECK_FALSE(status.takes_traffic());
        status.address = "127.0.0.1";
        CHECK(status.takes_traffic() == row.takes_traffic);
    }
}

}  // namespace warmlane
