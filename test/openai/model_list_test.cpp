#include "warmlane/openai/model_list.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace warmlane::openai {
namespace {

using Models = std::vector<EndpointStatus::Model>;

std::vector<std::string> ids(const Models& models) {
    std::vector<std::string> all;
    for (const auto& model : models) {
        all.push_back(model.id);
    }
    return all;
}

EndpointStatus endpoint(EndpointState state, std::string_view list) {
    EndpointStatus status;
    status.address = "127.0.0.1";
    status.state = state;
    status.models = std::make_shared<const Models>(read_model_list(list));
    return status;
}

std::string entry(const std::string& id, const std::string& owner) {
    return R"({"id":")" + id + R"(","owned_by":")" + owner + "\"}";
}

std::string list(const std::string& entries) {
    return R"({"object":"list","data":[)" + entries + "]}";
}

}  // namespace

TEST_CASE("model list: entries as they stand, with their ids") {
    const Models models = read_model_list(
        R"({"models":[{"id":"x"}],"data": [ {"object":"model", "id":"org/a\u002d1","created":1e400} ,{"id":"b"}],"object":"list"})"
    );
    REQUIRE(models.size() == 2);
    CHECK(models[0].id == "org/a-1");
    CHECK(models[0].json == R"({"object":"model", "id":"org/a\u002d1","created":1e400})");
    CHECK(models[1].id == "b");
    CHECK(models[1].json == R"({"id":"b"})");
}

TEST_CASE("model list: what has no id of its own is left out") {
    CHECK(
        ids(read_model_list(
            list(R"({"id":"a"},{"id":"a","x":1},{"x":1},{"id":7},{"id":""},7,null,"b",{"id":"c"})")
        )) == std::vector<std::string>{"a", "c"}
    );
}

TEST_CASE("model list: anything else is empty") {
    const std::string bodies[] = {
        "",
        "[]",
        "null",
        "not found",
        R"({"data":{}})",
        R"({"data":null})",
        "{}",
        R"({"data":[{"id":"a"}])",
        R"({"data":[{"id":"a"}]}x)",
    };
    for (const std::string& body : bodies) {
        CAPTURE(body);
        CHECK(read_model_list(body).empty());
    }
}

TEST_CASE("model list: at most a thousand") {
    std::string entries = R"({"id":"0"})";
    for (int i = 1; i < 1'500; ++i) {
        entries += R"(,{"id":")" + std::to_string(i) + "\"}";
    }
    CHECK(read_model_list(list(entries)).size() == 1'000);
}

TEST_CASE("model list: the union over endpoints that take traffic, each id once, sorted") {
    PoolSnapshot pool;
    CHECK(union_model_list(pool) == R"({"object":"list","data":[]})");

    pool.endpoints.push_back(endpoint(EndpointState::up, list(entry("m", "one") + "," + entry("c", "one"))));
    pool.endpoints.push_back(endpoint(EndpointState::down, list(entry("gone", "two"))));
    pool.endpoints.push_back(endpoint(EndpointState::draining, list(entry("going", "two"))));
    pool.endpoints.push_back(
        endpoint(EndpointState::suspect, list(entry("a", "three") + "," + entry("m", "three")))
    );
    pool.endpoints.emplace_back().address = "127.0.0.1";
    CHECK(
        union_model_list(pool) ==
        list(entry("a", "three") + "," + entry("c", "one") + "," + entry("m", "one"))
    );
}

}  // namespace warmlane::openai
