#include "warmlane/openai/error_body.hpp"

#include <boost/json.hpp>
#include <doctest/doctest.h>

namespace warmlane::openai {

TEST_CASE("error body: OpenAI's shape, empty parts are null") {
    CHECK(
        error_body("No endpoint.", "server_error") ==
        R"({"error":{"message":"No endpoint.","type":"server_error","param":null,"code":null}})"
    );
    CHECK(
        error_body("Bad.", "invalid_request_error", "messages[0].role", "bad_json") ==
        R"({"error":{"message":"Bad.","type":"invalid_request_error","param":"messages[0].role","code":"bad_json"}})"
    );
}

TEST_CASE("error body: whatever the text is, the body is JSON that gives it back") {
    const std::string texts[] = {
        "plain",
        "a \"quote\", a \\ and a line\nbreak\t",
        std::string("NUL\0and\x1f\x7f", 9),
        "caf\xC3\xA9 \xE4\xBD\xA0 \xF0\x9F\x8D\x8E and a longer run of plain text behind it",
        "</script>",
    };
    for (const std::string& text : texts) {
        CAPTURE(text);
        const boost::json::value value = boost::json::parse(error_body(text, "t"));
        CHECK(value.at("error").at("message").as_string() == text);
    }
}

TEST_CASE("error body: bytes that are not UTF-8 are replaced") {
    const boost::json::value value = boost::json::parse(error_body("a\xFF\xC3(\xED\xA0\x80z", "t"));
    const std::string replaced = "\xEF\xBF\xBD";
    CHECK(
        value.at("error").at("message").as_string() ==
        "a" + replaced + replaced + "(" + replaced + replaced + replaced + "z"
    );
}

TEST_CASE("error event: one server-sent event") {
    CHECK(
        error_event("Gone.", "server_error", "upstream_closed") ==
        "data: {\"error\":{\"message\":\"Gone.\",\"type\":\"server_error\",\"param\":null,"
        "\"code\":\"upstream_closed\"}}\n\n"
    );
    CHECK(error_event("two\nlines", "t").find('\n') == error_event("two\nlines", "t").size() - 2);
}

}  // namespace warmlane::openai
