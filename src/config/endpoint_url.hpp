#pragma once

#include "warmlane/core/endpoint.hpp"

#include <boost/system/result.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace warmlane::config {

/// The parts of an endpoint's URL in canonical spelling, so that equal parts mean the same place.
struct EndpointUrl {
    /// In lower case; an IPv6 literal without brackets.
    std::string host;
    std::uint16_t port = 80;
    /// Without a trailing slash; often empty.
    std::string path;

    bool operator==(const EndpointUrl&) const = default;
};

/// Reads `http://HOST[:PORT][/PATH]`, HOST a name, an IPv4 literal or an IPv6 literal in brackets. The other
/// alternative is a sentence that says what is wrong.
std::variant<EndpointUrl, std::string> parse_endpoint_url(std::string_view text);

/// `HOST:PORT` and, where there is one, the path; what an endpoint is called when it has no name.
std::string default_name(const EndpointUrl& url);

/// `http://HOST:PORT/PATH` as an endpoint's spec says it.
std::string url_of(const EndpointSpec& spec);

}  // namespace warmlane::config
