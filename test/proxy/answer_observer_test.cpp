#include "proxy/answer_observer.hpp"

#include "warmlane/core/endpoint.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

namespace warmlane::proxy {
namespace {

struct Fixture {
    std::shared_ptr<Endpoint> endpoint = std::make_shared<Endpoint>(EndpointSpec{}, 0);
    routing::Reservation reservation{endpoint, 100};
    observability::Metrics metrics;
    http::ResponseHead head;

    explicit Fixture(std::string_view type, std::string_view coding = {}) {
        head.status = 200;
        head.fields.push_back({"Content-Type", type});
        if (!coding.empty()) {
            head.fields.push_back({"Content-Encoding", coding});
        }
    }
    AnswerObserver observer() { return AnswerObserver(head, reservation, metrics); }
};

http::Pieces pieces(std::string_view text) {
    http::Pieces out;
    out.push(text);
    return out;
}

TEST_CASE("answer observer: the prompt's tokens are off the endpoint at the first byte") {
    Fixture fixture("application/json");
    AnswerObserver observer = fixture.observer();
    observer.on_content(http::Pieces{});
    CHECK(!observer.first_byte_at().has_value());
    const auto before = fixture.endpoint->in_flight_tokens.load();
    observer.on_content(pieces("{"));
    CHECK(observer.first_byte_at().has_value());
    CHECK(fixture.endpoint->in_flight_tokens.load() == before - 100);
}

TEST_CASE("answer observer: usage of a JSON answer and of a stream") {
    Fixture plain("application/json; charset=utf-8");
    AnswerObserver json = plain.observer();
    json.on_content(pieces(R"({"id":"x","usage":{"prompt_tokens":7,"completion_tokens":2}})"));
    CHECK(json.usage().prompt_tokens == 7);
    CHECK(!json.is_event_stream());

    Fixture events("text/event-stream");
    AnswerObserver stream = events.observer();
    stream.on_content(pieces("data: {\"choices\":[],\"usage\":{\"prompt_tok"));
    CHECK(stream.inside_event());
    stream.on_content(pieces("ens\":9}}\n\ndata: [DONE]\n\n"));
    CHECK(!stream.inside_event());
    CHECK(stream.usage().prompt_tokens == 9);
}

TEST_CASE("answer observer: a coded body is not read") {
    Fixture fixture("application/json", "gzip");
    AnswerObserver observer = fixture.observer();
    observer.on_content(pieces(R"({"id":"x","usage":{"prompt_tokens":7}})"));
    CHECK(!observer.usage().prompt_tokens.has_value());
    CHECK(observer.response_id().empty());
}

TEST_CASE("answer observer: the id of a stored response, wherever the bytes are cut") {
    const std::string body =
        R"({"type":"response.created","response":{"id" : "resp_42","object":"response"}})";
    for (std::size_t cut = 0; cut <= body.size(); ++cut) {
        Fixture fixture("application/json");
        AnswerObserver observer = fixture.observer();
        observer.on_content(pieces(std::string_view(body).substr(0, cut)));
        observer.on_content(pieces(std::string_view(body).substr(cut)));
        CHECK(observer.response_id() == "resp_42");
    }
}

TEST_CASE("answer observer: no id, no answer") {
    Fixture fixture("application/json");
    AnswerObserver observer = fixture.observer();
    CHECK(observer.response_id().empty());
    observer.on_content(pieces(R"({"object":"list"})"));
    CHECK(observer.response_id().empty());
}

}  // namespace
}  // namespace warmlane::proxy
