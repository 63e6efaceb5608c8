#include "datalayer/name_follower.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace warmlane::datalayer {

TEST_CASE("name follower: which of several addresses is used") {
    struct Row {
        const char* name;
        std::vector<std::string> addresses;
        std::string current;
        bool wants_next;
        std::string expected;
    };
    const Row rows[] = {
        {"the first lookup", {"::1", "127.0.0.1"}, "", false, "::1"},
        {"the current one stays", {"::1", "127.0.0.1"}, "127.0.0.1", false, "127.0.0.1"},
        {"the current one is gone", {"10.0.0.2", "10.0.0.3"}, "10.0.0.1", false, "10.0.0.2"},
        {"the next one is wanted", {"::1", "127.0.0.1"}, "::1", true, "127.0.0.1"},
        {"after the last comes the first", {"::1", "127.0.0.1"}, "127.0.0.1", true, "::1"},
        {"there is no other", {"10.0.0.1"}, "10.0.0.1", true, "10.0.0.1"},
        {"next of one that is gone", {"10.0.0.2", "10.0.0.3"}, "10.0.0.1", true, "10.0.0.2"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(choose_address(row.addresses, row.current, row.wants_next) == row.expected);
    }
}

TEST_CASE("name follower: an IP literal is known at once and never looked up") {
    http::asio::io_context context{1};
    const auto follower = std::make_shared<NameFollower>(
        context.get_executor(), "fd00:0::2", [](const Result<std::string>&) { FAIL("looked up"); }
    );
    CHECK(follower->address() == "fd00::2");
    follower->start();
    CHECK(context.poll() == 0);
}

}  // namespace warmlane::datalayer
