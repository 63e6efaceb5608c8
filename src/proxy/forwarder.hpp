#pragma once

#include "proxy_error.hpp"
#include "request_record.hpp"

#include "warmlane/core/inference_request.hpp"
#include "warmlane/http/exchange.hpp"
#include "warmlane/http/types.hpp"
#include "warmlane/http/upstream.hpp"
#include "warmlane/proxy/proxy_handler.hpp"
#include "warmlane/routing/decision.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace warmlane::proxy {

/// A request that has been read and understood; it and everything in it live as long as the exchange.
struct ForwardJob {
    http::Exchange& exchange;
    InferenceRequest& request;
    std::string_view body;
    PoolSnapshotPtr pool;
};

/// Brings a request to an endpoint and its answer back: decide, connect, relay the request, relay the answer;
/// and decides anew while an attempt failed that no byte of has reached the client.
class Forwarder {
public:
    /// `upstreams` outlives the forwarder.
    Forwarder(ProxyOptions options, ProxyServices services, http::UpstreamPool& upstreams);

    http::Awaitable<ProxyError> forward(const ForwardJob& job, RequestRecord& record);

private:
    /// One try at one endpoint.
    struct Attempt {
        const ForwardJob& job;
        RequestRecord& record;
        routing::Decision& decision;
        /// Another endpoint could be tried after this one.
        bool may_move_on;
    };

    Result<routing::Decision> decide(
        const ForwardJob& job, const std::vector<const Endpoint*>& excluded, RequestRecord& record
    );
    http::Awaitable<ProxyError> run(Attempt attempt);
    http::Awaitable<ProxyError> ask(Attempt attempt, http::UpstreamConnection& connection);
    http::Awaitable<ProxyError> relay(
        Attempt attempt, http::UpstreamConnection& connection, const http::ResponseHead& head
    );
    void report(const Attempt& attempt, const ProxyError& error) const;
    void report_answer(const Attempt& attempt, unsigned status) const;
    std::string answer_fields(const Attempt& attempt, const http::ResponseHead& head) const;

    const ProxyOptions options_;
    const ProxyServices services_;
    http::UpstreamPool& upstreams_;
};

}  // namespace warmlane::proxy
