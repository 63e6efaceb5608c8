#include "warmlane/http/message.hpp"

#include <doctest/doctest.h>

namespace warmlane::http {
namespace {

TEST_CASE("message: names are compared without case, and only letters have one") {
    CHECK(equals_ignoring_case("", ""));
    CHECK(equals_ignoring_case("Content-Length", "CONTENT-length"));
    CHECK_FALSE(equals_ignoring_case("a", "ab"));
    CHECK_FALSE(equals_ignoring_case("a-b", "a_b"));
    CHECK_FALSE(equals_ignoring_case("@", "`"));
    CHECK_FALSE(equals_ignoring_case("[", "{"));
    CHECK_FALSE(equals_ignoring_case("\xc1", "\xe1"));
}

TEST_CASE("message: the first field of a name is found") {
    const std::vector<Field> fields = {{"A", "1"}, {"b", "2"}, {"a", "3"}};
    REQUIRE(find_field(fields, "a") == &fields[0]);
    REQUIRE(find_field(fields, "B") == &fields[1]);
    CHECK(find_field(fields, "c") == nullptr);
}

TEST_CASE("message: the path ends where the query begins") {
    RequestHead head;
    head.target = "/a/b?c=/d?e";
    CHECK(head.path() == "/a/b");
    head.target = "/a";
    CHECK(head.path() == "/a");
}

}  // namespace
}  // namespace warmlane::http
