#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warmlane::proxy {

/// Who answers a request, by its method and path.
enum class Route : std::uint8_t {
    /// Goes to an endpoint.
    forward,
    /// `GET /health`, `/liveness`: this process runs.
    liveness,
    /// `GET /readiness`: an endpoint takes traffic.
    readiness,
    /// `GET /v1/models`.
    models,
    /// `OPTIONS *`.
    options,
    /// A path of the admin port; 404 here.
    unknown,
    /// A path that controls a single engine; 403.
    engine_control,
    /// An inference path that takes POST only; 405.
    post_only,
};

/// Judges a private copy of the path, with escapes resolved and slashes collapsed, so that no spelling slips
/// through; what is forwarded stays as it came.
Route route_of(std::string_view method, std::string_view path);

/// The id in `/v1/responses/{id}` and in what lies below it; empty for any other path.
std::string_view response_id_of(std::string_view path);

}  // namespace warmlane::proxy
