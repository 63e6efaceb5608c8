#include "proxy_error.hpp"

#include "warmlane/openai/error_body.hpp"

#include <array>

namespace warmlane::proxy {
namespace {

struct ErrorRow {
    Errc code;
    unsigned status;
    std::string_view type;
    std::string_view word;
    std::string_view message;
};

constexpr std::array<ErrorRow, 16> kErrorRows{{
    {Errc::bad_request_head,
     400,
     "invalid_request_error",
     "bad_request_head",
     "The request head is malformed."},
    {Errc::bad_request_body,
     400,
     "invalid_request_error",
     "bad_request_body",
     "The body's framing is malformed."},
    {Errc::body_too_large, 413, "invalid_request_error", "body_too_large", "The request body is too large."},
    {Errc::client_too_slow, 408, "invalid_request_error", "client_too_slow", "The request came too slowly."},
    {Errc::client_gone, 499, "invalid_request_error", "client_gone", "The client left."},
    {Errc::bad_json, 400, "invalid_request_error", "bad_json", "The body is not valid JSON."},
    {Errc::no_endpoint, 503, "service_unavailable", "no_endpoint", "No model server is available."},
    {Errc::saturated, 429, "rate_limit_error", "saturated", "Every model server is at its limit."},
    {Errc::connect_failed,
     502,
     "bad_gateway",
     "connect_failed",
     "No connection to a model server could be made."},
    {Errc::connect_timeout,
     504,
     "gateway_timeout",
     "connect_timeout",
     "A model server did not accept in time."},
    {Errc::upstream_closed, 502, "bad_gateway", "upstream_closed", "The model server closed the connection."},
    {Errc::bad_response, 502, "bad_gateway", "bad_response", "The model server's answer was malformed."},
    {Errc::first_byte_timeout,
     504,
     "gateway_timeout",
     "first_byte_timeout",
     "The model server did not answer in time."},
    {Errc::idle_timeout, 504, "gateway_timeout", "idle_timeout", "The model server paused for too long."},
    {Errc::total_timeout, 504, "gateway_timeout", "total_timeout", "The request took too long."},
    {Errc::shutting_down, 503, "service_unavailable", "shutting_down", "The gateway is shutting down."},
}};

constexpr ErrorRow kOther{Errc::bad_response, 500, "internal_error", "internal", "The gateway failed."};

const ErrorRow& row_of(error_code code) {
    for (const ErrorRow& row : kErrorRows) {
        if (code == row.code) {
            return row;
        }
    }
    return kOther;
}

}  // namespace

ProxyError upstream_error(error_code code) {
    // A time-out is not tried again: the engine is at work on the request, and a second one would only add to
    // it.
    const bool again = code == Errc::connect_failed || code == Errc::connect_timeout ||
                       code == Errc::upstream_closed || code == Errc::bad_response;
    return {code, Source::upstream, again ? Retry::if_unsent : Retry::never, {}, {}};
}

ProxyError downstream_error(error_code code) {
    return {code, Source::downstream, Retry::never, {}, {}};
}

http::Response response_for(const ProxyError& error) {
    const ErrorRow& row = row_of(error.code);
    http::Response response;
    response.status = row.status;
    response.body = openai::error_body(
        error.message.empty() ? row.message : std::string_view(error.message), row.type, error.param, row.word
    );
    if (row.status == 503 || row.status == 429) {
        response.fields.push_back({"Retry-After", "1"});
    }
    return response;
}

std::string_view end_word(const ProxyError& error) {
    return error.failed() ? row_of(error.code).word : "complete";
}

std::optional<datalayer::Contact> contact_of(const ProxyError& error) {
    if (error.source != Source::upstream) {
        return std::nullopt;
    }
    if (error.code == Errc::connect_failed || error.code == Errc::connect_timeout) {
        return datalayer::Contact::connect_failed;
    }
    if (error.code == Errc::upstream_closed || error.code == Errc::bad_response) {
        return datalayer::Contact::broken;
    }
    return datalayer::Contact::unavailable;
}

std::string_view kind_word(const ProxyError& error) {
    if (error.code == Errc::connect_failed || error.code == Errc::connect_timeout) {
        return "connect";
    }
    if (error.code == Errc::upstream_closed) {
        return "closed";
    }
    return error.code == Errc::bad_response ? "malformed" : "timeout";
}

}  // namespace warmlane::proxy
