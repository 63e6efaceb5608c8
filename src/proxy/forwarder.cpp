#include "forwarder.hpp"

#include "answer_observer.hpp"
#include "path_rules.hpp"

#include "warmlane/http/body_relay.hpp"
#include "warmlane/http/header_rules.hpp"
#include "warmlane/openai/error_body.hpp"
#include "warmlane/proxy/response_owners.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace warmlane::proxy {
namespace {

using Steady = std::chrono::steady_clock;

/// Answers by which an endpoint says that another one should be asked.
bool asks_for_another(unsigned status) {
    return status == 502 || status == 503 || status == 504;
}

/// Every endpoint but the one that made the response which the path names, as long as that one takes traffic.
std::vector<const Endpoint*> others_than_owner(const ForwardJob& job, const ResponseOwners& owners) {
    std::vector<const Endpoint*> others;
    const std::string_view id = response_id_of(job.exchange.head().path());
    const std::string owner = id.empty() ? std::string() : owners.owner_of(id);
    if (!owner.empty()) {
        for (const EndpointStatus& status : job.pool->endpoints) {
            if (status.endpoint->name() != owner) {
                others.push_back(status.endpoint.get());
            }
        }
    }
    return others;
}

bool another_is_left(
    const PoolSnapshot& pool, const std::vector<const Endpoint*>& excluded, const Endpoint& current
) {
    return std::ranges::any_of(pool.endpoints, [&](const EndpointStatus& status) {
        return status.takes_traffic() && status.endpoint.get() != &current &&
               std::ranges::find(excluded, status.endpoint.get()) == excluded.end();
    });
}

}  // namespace

Forwarder::Forwarder(ProxyOptions options, ProxyServices services, http::UpstreamPool& upstreams)
    : options_(options), services_(services), upstreams_(upstreams) {}

http::Awaitable<ProxyError> Forwarder::forward(const ForwardJob& job, RequestRecord& record) {
    std::vector<const Endpoint*> excluded = others_than_owner(job, services_.response_owners);
    while (true) {
        Result<routing::Decision> decision = decide(job, excluded, record);
        if (decision.has_error()) {
            co_return ProxyError{decision.error(), Source::internal, Retry::never, {}, {}};
        }
        const Endpoint& endpoint = *decision->picked.endpoint;
        const bool tries_left = record.attempts <= options_.retries;
        const bool may_move_on = tries_left && another_is_left(*job.pool, excluded, endpoint);
        const Attempt attempt{job, record, *decision, may_move_on};
        ProxyError error = co_await run(attempt);
        const bool untouched = !job.exchange.response_started() && !job.exchange.client_gone();
        if (error.failed() && untouched) {
            services_.scheduler.unpick(job.request, endpoint);
        }
        if (!error.failed() || error.retry == Retry::never || !tries_left || !untouched) {
            co_return error;
        }
        excluded.push_back(&endpoint);
    }
}

Result<routing::Decision> Forwarder::decide(
    const ForwardJob& job, const std::vector<const Endpoint*>& excluded, RequestRecord& record
) {
    auto decision = services_.scheduler.schedule(job.request, *job.pool, Steady::now(), excluded);
    if (decision.has_value()) {
        ++record.attempts;
        record.endpoint = decision->picked.endpoint;
        record.prefix_match = decision->prefix_match;
        record.decision = decision->duration;
        record.overhead += decision->duration;
    }
    return decision;
}

http::Awaitable<ProxyError> Forwarder::run(Attempt attempt) {
    const EndpointStatus& picked = attempt.decision.picked;
    // A second attempt takes no chances with a connection that may have been closed while it was idle.
    const bool fresh = attempt.record.attempts > 1;
    const http::UpstreamAddress address{picked.address, picked.endpoint->spec().port};
    const Result<http::UpstreamLease> lease = co_await upstreams_.acquire(address, fresh);
    ProxyError error;
    if (lease.has_error()) {
        error = upstream_error(lease.error());
    } else {
        error = co_await ask(attempt, **lease);
        if (error.failed()) {
            (*lease)->close();
        }
        upstreams_.release(*lease);
    }
    if (attempt.job.exchange.client_gone()) {
        error = downstream_error(Errc::client_gone);
    }
    report(attempt, error);
    co_return error;
}

http::Awaitable<ProxyError> Forwarder::ask(Attempt attempt, http::UpstreamConnection& connection) {
    const auto begun = Steady::now();
    const Endpoint& endpoint = *attempt.decision.picked.endpoint;
    const std::string authority = endpoint.authority();
    std::string head;
    http::write_forwarded_request(
        head,
        attempt.job.exchange.head(),
        {.authority = authority,
         .base_path = endpoint.spec().base_path,
         .request_id = attempt.record.id,
         .client_address = attempt.job.exchange.client_address(),
         .body_bytes = attempt.job.body.size()}
    );
    attempt.record.overhead += Steady::now() - begun;
    const error_code sent = co_await connection.send(head, attempt.job.body);
    if (sent) {
        co_return upstream_error(sent);
    }
    const bool to_head_request = attempt.job.exchange.head().method == "HEAD";
    const Result<const http::ResponseHead*> answer = co_await connection.read_head(to_head_request);
    if (answer.has_error()) {
        co_return upstream_error(answer.error());
    }
    report_answer(attempt, (*answer)->status);
    if (asks_for_another((*answer)->status) && attempt.may_move_on) {
        co_return ProxyError{Errc::bad_response, Source::internal, Retry::if_unsent, {}, {}};
    }
    ProxyError error = co_await relay(attempt, connection, **answer);
    co_return error;
}

http::Awaitable<ProxyError> Forwarder::relay(
    Attempt attempt, http::UpstreamConnection& connection, const http::ResponseHead& head
) {
    http::Exchange& exchange = attempt.job.exchange;
    AnswerObserver observer(head, attempt.decision.reservation, services_.metrics);
    const std::string fields = answer_fields(attempt, head);
    const http::BodyFraming framing = head.body;
    const http::RelayEnd end = co_await http::relay_answer(
        connection, exchange, {head.status, head.reason, fields, framing}, observer
    );
    attempt.record.usage = observer.usage();
    if (const auto at = observer.first_byte_at()) {
        attempt.record.first_byte = *at - exchange.received_at();
    }
    if (attempt.job.request.api == Api::responses && head.status == 200) {
        services_.response_owners.remember(observer.response_id(), attempt.decision.picked.endpoint->name());
    }
    if (end.side == http::RelayEnd::Side::downstream) {
        co_return downstream_error(Errc::client_gone);
    }
    if (end.side == http::RelayEnd::Side::none) {
        co_return ProxyError{};
    }
    const bool chunk_may_begin = framing.kind == http::BodyKind::until_close ||
                                 (framing.kind == http::BodyKind::chunked && connection.at_boundary());
    if (observer.is_event_stream() && chunk_may_begin) {
        const std::string separator = observer.inside_event() ? "\n\n" : "";
        const std::string event =
            separator + openai::error_event(
                            "The model server ended its answer early.", "server_error", "upstream_closed"
                        );
        [[maybe_unused]] const error_code ec = co_await exchange.inject(event);
    }
    co_return upstream_error(end.error);
}

std::string Forwarder::answer_fields(const Attempt& attempt, const http::ResponseHead& head) const {
    std::string fields;
    http::HeadBuilder builder(fields);
    http::add_forwarded_fields(builder, head);
    if (head.value_of("x-request-id").empty()) {
        builder.add("x-request-id", attempt.record.id);
    }
    if (options_.debug_headers) {
        const routing::Decision& decision = attempt.decision;
        const auto micros = std::chrono::duration_cast<std::chrono::microseconds>(decision.duration).count();
        const PrefixMatchInfo& match = decision.prefix_match;
        builder.add("x-warmlane-endpoint", decision.picked.endpoint->name());
        builder.add("x-warmlane-prefix-blocks", fmt::format("{}/{}", match.match_blocks, match.total_blocks));
        builder.add("x-warmlane-decision-us", static_cast<std::uint64_t>(micros));
        builder.add("x-warmlane-attempts", std::uint64_t{attempt.record.attempts});
    }
    return fields;
}

void Forwarder::report_answer(const Attempt& attempt, unsigned status) const {
    const std::shared_ptr<Endpoint>& endpoint = attempt.decision.picked.endpoint;
    services_.metrics.count_upstream(endpoint->name(), status);
    const bool unavailable = asks_for_another(status);
    services_.data_layer.report(
        endpoint, unavailable ? datalayer::Contact::unavailable : datalayer::Contact::answered
    );
}

void Forwarder::report(const Attempt& attempt, const ProxyError& error) const {
    const auto contact = contact_of(error);
    if (!error.failed() || !contact) {
        return;
    }
    const std::shared_ptr<Endpoint>& endpoint = attempt.decision.picked.endpoint;
    services_.metrics.count_upstream_error(endpoint->name(), kind_word(error));
    services_.data_layer.report(endpoint, *contact, end_word(error));
}

}  // namespace warmlane::proxy
