#include "warmlane/core/error.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace warmlane {

TEST_CASE("error: every code has a text of its own and converts to an error_code") {
    std::set<std::string> texts;
    const int first = static_cast<int>(Errc::bad_request_head);
    const int last = static_cast<int>(Errc::shutting_down);
    for (int value = first; value <= last; ++value) {
        CAPTURE(value);
        const error_code ec = static_cast<Errc>(value);
        CHECK(ec.failed());
        CHECK(std::string(ec.category().name()) == "warmlane");
        CHECK(ec.message() != "unknown error");
        texts.insert(ec.message());
    }
    CHECK(texts.size() == static_cast<std::size_t>(last - first + 1));
    CHECK(error_code(last + 1, error_category()).message() == "unknown error");
}

TEST_CASE("error: a result holds a value or the reason why there is none") {
    const Result<int> value = 7;
    CHECK(value.value() == 7);
    const Result<int> error = Errc::saturated;
    REQUIRE(error.has_error());
    CHECK(error.error() == Errc::saturated);
    CHECK(error.error().message() == "every candidate is saturated");
}

}  // namespace warmlane
