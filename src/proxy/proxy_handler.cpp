#include "warmlane/proxy/proxy_handler.hpp"

#include "answer_observer.hpp"
#include "forwarder.hpp"
#include "local_answers.hpp"
#include "path_rules.hpp"
#include "proxy_error.hpp"
#include "request_record.hpp"

#include "warmlane/http/header_rules.hpp"
#include "warmlane/openai/parse_request.hpp"

#include <utility>
#include <variant>

namespace warmlane::proxy {
namespace {

using Steady = std::chrono::steady_clock;

/// A body in a coding that we do not undo is none of our business.
Api api_of(const http::RequestHead& head) {
    const std::string_view coding = head.value_of("Content-Encoding");
    if (!coding.empty() && !http::equals_ignoring_case(coding, "identity")) {
        return Api::other;
    }
    return openai::api_of(head.method, head.path());
}

ProxyError bad_json(const openai::RequestError& error) {
    return {Errc::bad_json, Source::downstream, Retry::never, error.message, error.param};
}

}  // namespace

struct ProxyHandler::State {
    State(ProxyOptions wanted, ProxyServices shared, http::UpstreamPool& pool_of_worker)
        : options(wanted), services(shared), forwarder(wanted, shared, pool_of_worker) {}

    http::Awaitable<ProxyError> forward(http::Exchange& exchange, RequestRecord& record);
    http::Awaitable<void> answer_error(
        http::Exchange& exchange, const ProxyError& error, const RequestRecord& record
    );

    const ProxyOptions options;
    const ProxyServices services;
    Forwarder forwarder;
    RequestIds ids;
    PoolSnapshotPtr pool = std::make_shared<PoolSnapshot>();
};

ProxyHandler::ProxyHandler(ProxyOptions options, ProxyServices services, http::UpstreamPool& upstreams)
    : state_(std::make_unique<State>(options, services, upstreams)) {}

ProxyHandler::~ProxyHandler() = default;

void ProxyHandler::set_pool(PoolSnapshotPtr pool) {
    state_->pool = std::move(pool);
}

http::Awaitable<void> ProxyHandler::handle(http::Exchange& exchange) {
    const Route route = route_of(exchange.head().method, exchange.head().path());
    if (route != Route::forward) {
        const http::Response response = local_answer(route, *state_->pool, state_->services.shutting_down);
        [[maybe_unused]] const error_code ec = co_await exchange.respond(response);
        co_return;
    }
    RequestRecord record;
    record.id = state_->ids.id_for(exchange.head());
    const ProxyError error = co_await state_->forward(exchange, record);
    if (error.failed() && !exchange.response_started() && !exchange.client_gone()) {
        co_await state_->answer_error(exchange, error, record);
    }
    ++state_->services.requests_served;
    finish_record(record, error, exchange, state_->services.metrics);
}

http::Awaitable<ProxyError> ProxyHandler::State::forward(http::Exchange& exchange, RequestRecord& record) {
    if (http::is_looping(exchange.head())) {
        co_return ProxyError{
            Errc::bad_request_head, Source::downstream, Retry::never, "The request runs in a circle.", {}
        };
    }
    const Result<std::string_view> body = co_await exchange.read_body(options.request_body_bytes_max);
    if (body.has_error()) {
        co_return downstream_error(body.error());
    }
    const auto begun = Steady::now();
    record.body_bytes = body->size();
    auto parsed = openai::parse_request(api_of(exchange.head()), *body);
    if (const auto* error = std::get_if<openai::RequestError>(&parsed)) {
        co_return bad_json(*error);
    }
    auto& request = std::get<InferenceRequest>(parsed);
    request.session_id = exchange.head().value_of("x-session-id");
    record.model = request.model;
    for (const Prompt& prompt : request.prompts) {
        record.prompt_bytes += prompt.bytes;
    }
    services.scheduler.prepare(request);
    record.overhead += Steady::now() - begun;
    const ForwardJob job{exchange, request, *body, pool};
    ProxyError error = co_await forwarder.forward(job, record);
    co_return error;
}

http::Awaitable<void> ProxyHandler::State::answer_error(
    http::Exchange& exchange, const ProxyError& error, const RequestRecord& record
) {
    http::Response response = response_for(error);
    response.fields.push_back({"x-request-id", record.id});
    [[maybe_unused]] const error_code ec = co_await exchange.respond(response);
}

}  // namespace warmlane::proxy
