#pragma once

#include "warmlane/core/error.hpp"
#include "warmlane/http/types.hpp"
#include "warmlane/http/upstream.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warmlane::http {

struct FetchRequest {
    std::string_view method = "GET";
    UpstreamAddress address;
    std::string_view authority;
    std::string_view target;
    std::string_view body;
    std::vector<OwnedField> fields;
    /// From asking for a connection to the last byte.
    std::chrono::milliseconds timeout{1'000};
    std::size_t body_bytes_max = 16 * 1024 * 1024;
};

struct FetchResponse {
    unsigned status = 0;
    std::vector<OwnedField> fields;
    std::string body;

    std::string_view value_of(std::string_view name) const;
};

/// One whole request and answer over a pooled connection; a reused connection that turns out to be dead is
/// replaced once. For what is not a client's request: scrapes, probes, tests.
Awaitable<Result<FetchResponse>> fetch(UpstreamPool& pool, FetchRequest request);

/// Scheme, host, port and path of an absolute `http` URL; absent when it is not one.
struct UrlParts {
    std::string host;
    std::uint16_t port = 80;
    /// Path and query, at least "/".
    std::string target;
};
std::optional<UrlParts> split_url(std::string_view url);

}  // namespace warmlane::http
