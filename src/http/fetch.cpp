#include "warmlane/http/fetch.hpp"

#include "warmlane/http/head_builder.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

namespace warmlane::http {
namespace {

std::string request_head(const FetchRequest& request) {
    std::string head;
    HeadBuilder builder(head);
    builder.request_line(request.method, request.target);
    builder.add("Host", request.authority);
    builder.add("User-Agent", "warmlane");
    for (const OwnedField& field : request.fields) {
        builder.add(field.name, field.value);
    }
    if (!request.body.empty()) {
        builder.add("Content-Length", std::uint64_t{request.body.size()});
    }
    builder.finish();
    return head;
}

Awaitable<Result<FetchResponse>> read_answer(UpstreamConnection& connection, const FetchRequest& request) {
    const auto head = co_await connection.read_head(request.method == "HEAD");
    if (head.has_error()) {
        co_return head.error();
    }
    FetchResponse response{.status = (*head)->status, .fields = {}, .body = {}};
    for (const Field& field : (*head)->fields) {
        response.fields.push_back({std::string(field.name), std::string(field.value)});
    }
    Pieces content;
    Pieces wire;
    Result<BodyProgress> done = connection.buffered_body(content, wire);
    while (done.has_value()) {
        for (const std::string_view piece : content) {
            response.body.append(piece);
        }
        if (response.body.size() > request.body_bytes_max) {
            co_return Errc::body_too_large;
        }
        if (*done == BodyProgress::complete) {
            co_return response;
        }
        done = co_await connection.read_body(content, wire);
    }
    co_return done.error();
}

Awaitable<Result<FetchResponse>> exchange(
    UpstreamConnection& connection, std::string_view head, const FetchRequest& request
) {
    const error_code ec = co_await connection.send(head, request.body);
    if (ec) {
        co_return ec;
    }
    Result<FetchResponse> answer = co_await read_answer(connection, request);
    co_return answer;
}

}  // namespace

std::string_view FetchResponse::value_of(std::string_view name) const {
    for (const OwnedField& field : fields) {
        if (equals_ignoring_case(field.name, name)) {
            return field.value;
        }
    }
    return {};
}

Awaitable<Result<FetchResponse>> fetch(UpstreamPool& pool, FetchRequest request) {
    const auto end = std::chrono::steady_clock::now() + request.timeout;
    const std::string head = request_head(request);
    bool fresh = false;
    while (true) {
        const Result<UpstreamLease> lease = co_await pool.acquire(request.address, fresh);
        if (lease.has_error()) {
            co_return lease.error();
        }
        UpstreamConnection& connection = **lease;
        connection.end_by(end);
        const Result<FetchResponse> response = co_await exchange(connection, head, request);
        const bool stale = response.has_error() && response.error() == Errc::upstream_closed &&
                           connection.reused() && connection.bytes_received() == 0;
        pool.release(*lease);
        if (!stale) {
            co_return response;
        }
        fresh = true;
    }
}

std::optional<UrlParts> split_url(std::string_view url) {
    const auto parsed = boost::urls::parse_uri(url);
    if (parsed.has_error() || parsed->scheme() != "http" || parsed->has_userinfo() ||
        parsed->host().empty()) {
        return std::nullopt;
    }
    if (parsed->has_port() && parsed->port_number() == 0) {
        return std::nullopt;
    }
    UrlParts parts;
    parts.host = parsed->host_address();
    parts.port = parsed->has_port() ? parsed->port_number() : std::uint16_t{80};
    const auto target = parsed->encoded_target();
    parts.target = target.empty() ? "/" : std::string(target.data(), target.size());
    if (parts.target.front() == '?') {
        parts.target.insert(0, 1, '/');
    }
    return parts;
}

}  // namespace warmlane::http
