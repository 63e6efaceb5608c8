#pragma once

#include "warmlane/http/head_builder.hpp"
#include "warmlane/http/message.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warmlane::http {

/// What a forwarded request says about its way here.
struct ForwardedRequest {
    /// Host field for the endpoint.
    std::string_view authority;
    /// Put before the target; usually empty.
    std::string_view base_path;
    std::string_view request_id;
    /// Address of the client without port.
    std::string_view client_address;
    /// `http` or `https`, as the client came to us.
    std::string_view client_scheme = "http";
    std::uint64_t body_bytes = 0;
};

/// The name of this gateway in Via fields.
inline constexpr std::string_view kViaName = "warmlane";

/// Writes the head of the request to an endpoint from nothing: the client's end-to-end fields in their order,
/// without hop-by-hop fields and those that Connection names, without the fields that steer routing inside a
/// cluster, without the client's own claims (X-Forwarded-*, Forwarded, X-Real-IP), Expect and framing; then
/// Host, Via, X-Forwarded-For/-Proto/-Host, X-Request-Id and one framing. The body is always sent with its
/// length.
void write_forwarded_request(std::string& out, const RequestHead& client, const ForwardedRequest& forwarded);

/// True when this gateway is already named in a Via field: the request runs in a circle.
bool is_looping(const RequestHead& client);

/// Adds the end-to-end fields of an endpoint's answer to a head that has its status line; framing and
/// Connection are the caller's. `Date` is added when absent, `Via` appended.
void add_forwarded_fields(HeadBuilder& out, const ResponseHead& upstream);

/// Current time as an IMF-fixdate, made at most once a second per thread.
std::string_view http_date();

}  // namespace warmlane::http
