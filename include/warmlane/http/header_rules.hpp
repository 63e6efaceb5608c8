#pragma once

#include "warmlane/http/head_builder.hpp"
#include "warmlane/http/message.hpp"

#include <cstdint>
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

/// The name of this gateway in Via fields: `warmlane-` and a random number that is drawn once per process, so
/// that gateways behind one another are no loop. Any thread.
std::string_view via_name();

/// Writes the head of the request to an endpoint from nothing. Host comes first, then the client's end-to-end
/// fields in their order, then Via, X-Forwarded-For/-Proto/-Host, X-Request-Id and one framing; the body is
/// always sent with its length. Left out of the client's fields are
/// - hop-by-hop fields and those that Connection names, framing and Expect;
/// - what steers routing inside a cluster (x-gateway-destination-endpoint* and the like), and x-warmlane-*;
/// - the client's own claims about its way: X-Forwarded-*, Forwarded, X-Real-IP, and X-Request-Id, which is
/// given;
/// - names with `_`, because servers behind CGI-like interfaces take them for the same with `-`.
void write_forwarded_request(std::string& out, const RequestHead& client, const ForwardedRequest& forwarded);

/// True when this gateway is already named in a Via field: the request runs in a circle.
bool is_looping(const RequestHead& client);

/// Adds the end-to-end fields of an endpoint's answer to a head that has its status line. `Date` is added
/// when absent, `Via` appended; x-warmlane-* is left out. Framing and Connection are the caller's, but
/// Content-Length is added here for an answer to HEAD and a 304, where it describes a body that is not sent.
void add_forwarded_fields(HeadBuilder& out, const ResponseHead& upstream);

/// Current time as an IMF-fixdate, made at most once a second per thread.
std::string_view http_date();

}  // namespace warmlane::http
