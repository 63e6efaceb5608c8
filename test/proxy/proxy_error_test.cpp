#include "proxy/proxy_error.hpp"

#include <boost/json/parse.hpp>
#include <doctest/doctest.h>

namespace warmlane::proxy {
namespace {

TEST_CASE("upstream_error: only what cannot have reached the engine's queue is tried again") {
    struct Row {
        const char* name;
        Errc code;
        Retry retry;
    };
    const Row rows[] = {
        {"refused", Errc::connect_failed, Retry::if_unsent},
        {"not accepted in time", Errc::connect_timeout, Retry::if_unsent},
        {"closed before an answer", Errc::upstream_closed, Retry::if_unsent},
        {"nonsense", Errc::bad_response, Retry::if_unsent},
        {"the engine is at work", Errc::first_byte_timeout, Retry::never},
        {"paused", Errc::idle_timeout, Retry::never},
        {"took too long", Errc::total_timeout, Retry::never},
    };
    for (const Row& row : rows) {
        CAPTURE(row.name);
        CHECK(upstream_error(row.code).retry == row.retry);
        CHECK(upstream_error(row.code).source == Source::upstream);
    }
}

TEST_CASE("response_for: status, OpenAI's shape, and when to come back") {
    struct Row {
        Errc code;
        unsigned status;
        bool retry_after;
    };
    const Row rows[] = {
        {Errc::bad_json, 400, false},
        {Errc::bad_request_body, 400, false},
        {Errc::client_too_slow, 408, false},
        {Errc::body_too_large, 413, false},
        {Errc::saturated, 429, true},
        {Errc::connect_failed, 502, false},
        {Errc::bad_response, 502, false},
        {Errc::no_endpoint, 503, true},
        {Errc::shutting_down, 503, true},
        {Errc::first_byte_timeout, 504, false},
    };
    for (const Row& row : rows) {
        CAPTURE(row.status);
        const http::Response response = response_for({row.code, Source::internal, Retry::never, {}, {}});
        CHECK(response.status == row.status);
        CHECK(response.fields.size() == (row.retry_after ? 1 : 0));
        const auto error = boost::json::parse(response.body).at("error").as_object();
        CHECK(error.at("message").is_string());
        CHECK(error.at("type").is_string());
        CHECK(error.at("param").is_null());
        CHECK(
            error.at("code").as_string() ==
            end_word({row.code, Source::internal, Retry::never, {}, {}}).data()
        );
    }
}

TEST_CASE("response_for: the parser's own words and field") {
    const auto response =
        response_for({Errc::bad_json, Source::downstream, Retry::never, "messages must be a list", "messages"}
        );
    const auto error = boost::json::parse(response.body).at("error").as_object();
    CHECK(error.at("message").as_string() == "messages must be a list");
    CHECK(error.at("param").as_string() == "messages");
}

TEST_CASE("contact_of: a client's fault says nothing about the endpoint") {
    CHECK(!contact_of(downstream_error(Errc::client_gone)).has_value());
    CHECK(contact_of(upstream_error(Errc::connect_failed)) == datalayer::Contact::connect_failed);
    CHECK(contact_of(upstream_error(Errc::upstream_closed)) == datalayer::Contact::broken);
    CHECK(contact_of(upstream_error(Errc::first_byte_timeout)) == datalayer::Contact::unavailable);
}

}  // namespace
}  // namespace warmlane::proxy
