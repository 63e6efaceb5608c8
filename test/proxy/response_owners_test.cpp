#include "warmlane/proxy/response_owners.hpp"

#include <doctest/doctest.h>

#include <string>

namespace warmlane::proxy {
namespace {

TEST_CASE("response owners: an id leads to the endpoint that made it") {
    ResponseOwners owners(10);
    owners.remember("resp_1", "a");
    owners.remember("resp_2", "b");
    CHECK(owners.owner_of("resp_1") == "a");
    CHECK(owners.owner_of("resp_2") == "b");
    CHECK(owners.owner_of("resp_3") == "");
}

TEST_CASE("response owners: an id made again belongs to the later endpoint") {
    ResponseOwners owners(10);
    owners.remember("resp_1", "a");
    owners.remember("resp_1", "b");
    CHECK(owners.owner_of("resp_1") == "b");
    CHECK(owners.size() == 1);
}

TEST_CASE("response owners: the oldest id goes first, and the number never grows past the limit") {
    ResponseOwners owners(3);
    for (int i = 0; i < 100; ++i) {
        owners.remember("resp_" + std::to_string(i), "a");
        CHECK(owners.size() <= 3);
    }
    CHECK(owners.owner_of("resp_96") == "");
    CHECK(owners.owner_of("resp_97") == "a");
    CHECK(owners.owner_of("resp_99") == "a");
}

TEST_CASE("response owners: empty and overlong ids are not kept") {
    ResponseOwners owners(3);
    owners.remember("", "a");
    owners.remember(std::string(ResponseOwners::kIdBytesMax + 1, 'x'), "a");
    CHECK(owners.size() == 0);
}

}  // namespace
}  // namespace warmlane::proxy
