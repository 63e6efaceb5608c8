#include "sim/faults.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <doctest/doctest.h>

namespace warmlane::sim {

namespace json = boost::json;

TEST_CASE("faults: a header's fields become the same JSON that a page takes") {
    CHECK(
        json::serialize(
            fault_fields("cut=reset; cut_bytes=100;garbage; share = 1 ;; head_delay=20ms;close_after=false")
        ) ==
        R"({"cut":"reset","cut_bytes":100,"garbage":true,"share":1,"head_delay":"20ms","close_after":false})"
    );
    CHECK(fault_fields("").empty());
}

TEST_CASE("faults: every field is read, and written back as it was read") {
    const json::value given = json::parse(
        R"({"share":0.5,"path":"/metrics","refuse":"10ms","status":500,"retry_after":3,"head_delay":"20ms",)"
        R"("body_delay":"30ms","cut":"stall","cut_bytes":7,"cut_events":8,"error_events":9,"garbage":true,)"
        R"("close_after":true,"chunk_bytes":11,"slice_bytes":12})"
    );
    std::vector<ReadError> errors;
    const Fault fault = read_fault(given, errors);
    CHECK(errors.empty());
    CHECK(json::parse(json::serialize(fault_json(fault))) == given);
}

TEST_CASE("faults: what is wrong is told by its name") {
    struct Row {
        const char* name;
        const char* json;
        const char* path;
    };
    const Row rows[] = {
        {"unknown field", R"({"cutt":"reset"})", "cutt"},
        {"unknown cut", R"({"cut":"maybe"})", "cut"},
        {"no status", R"({"status":99})", "status"},
        {"share above one", R"({"share":1.5})", "share"},
        {"no time", R"({"head_delay":5})", "head_delay"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        std::vector<ReadError> errors;
        read_fault(json::parse(row.json), errors);
        REQUIRE(errors.size() == 1);
        CHECK(errors[0].path == row.path);
    }
}

TEST_CASE("faults: a cut without a place comes before the first byte") {
    std::vector<ReadError> errors;
    const Fault fault = read_fault(json::parse(R"({"cut":"reset"})"), errors);
    CHECK(fault.cut_bytes == 0U);
}

TEST_CASE("faults: a request's own fault goes before the server's, which spares the simulator's pages") {
    FaultSwitch faults(0);
    Fault server;
    server.status = 503;
    server.path = "/";
    faults.set(server);
    std::vector<ReadError> errors;
    CHECK(faults.choose("/v1/completions", "", errors).status == 503);
    CHECK(faults.choose("/metrics", "", errors).status == 503);
    CHECK(faults.choose("/v1/completions", "garbage", errors).status == 0);
    CHECK(faults.choose("/v1/completions", "garbage", errors).garbage);
    CHECK(faults.choose("/sim/faults", "", errors).status == 0);
    CHECK(errors.empty());
}

}  // namespace warmlane::sim
