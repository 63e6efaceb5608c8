#pragma once

#include "warmlane/core/error.hpp"
#include "warmlane/datalayer/health.hpp"
#include "warmlane/http/exchange.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warmlane::proxy {

/// Whose fault it was.
enum class Source : std::uint8_t { downstream, upstream, internal };

/// Whether another endpoint may be tried.
enum class Retry : std::uint8_t {
    never,
    /// While no byte has gone to the client.
    if_unsent,
};

/// Why a request was not answered by an endpoint, or not to the end. No error by default.
struct ProxyError {
    error_code code;
    Source source = Source::internal;
    Retry retry = Retry::never;
    /// For the client, when the code's own words do not say enough; holds no address and no prompt.
    std::string message;
    /// The field at fault, for errors in the body.
    std::string param;

    bool failed() const { return static_cast<bool>(code); }
};

/// The failure of an attempt: connecting, sending, or waiting for the head.
ProxyError upstream_error(error_code code);
/// The failure of the client's side.
ProxyError downstream_error(error_code code);

/// The answer that tells the client, in OpenAI's shape.
http::Response response_for(const ProxyError& error);

/// One word for logs: `complete`, `client_gone`, `connect_failed`, ...
std::string_view end_word(const ProxyError& error);

/// How the health rules see a failed attempt; absent when it says nothing about the endpoint.
std::optional<datalayer::Contact> contact_of(const ProxyError& error);

/// Label `kind` of the metric of upstream errors.
std::string_view kind_word(const ProxyError& error);

}  // namespace warmlane::proxy
