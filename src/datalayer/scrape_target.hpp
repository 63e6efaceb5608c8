#pragma once

#include "warmlane/core/endpoint.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace warmlane::datalayer {

/// Where an endpoint shows its metrics.
struct ScrapeTarget {
    /// Host name or IP literal.
    std::string host;
    std::uint16_t port = 0;
    /// Host and port as they stand in a Host field.
    std::string authority;
    std::string target;
    /// The port that serves requests, so that a failed connection says something about those too.
    bool serves_requests = true;
};

/// The endpoint's own URL for metrics, else its engine's usual path; absent when the URL is no `http` one.
std::optional<ScrapeTarget> scrape_target(const Endpoint& endpoint);

/// An IP literal in its usual form; empty for anything else.
std::string ip_literal(const std::string& host);

}  // namespace warmlane::datalayer
