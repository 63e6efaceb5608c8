#include "path_rules.hpp"

#include "warmlane/http/path.hpp"
#include "warmlane/openai/parse_request.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace warmlane::proxy {
namespace {

constexpr std::array<std::string_view, 4> kAdminPaths{"/metrics", "/endpoints", "/config", "/explain"};

/// Paths by which vLLM and SGLang let their own operator steer one process; a client behind a gateway has no
/// business there.
constexpr std::array<std::string_view, 30> kEngineControlPaths{
    "/sleep",
    "/wake_up",
    "/is_sleeping",
    "/reset_prefix_cache",
    "/reset_mm_cache",
    "/reset_encoder_cache",
    "/collective_rpc",
    "/server_info",
    "/pause",
    "/resume",
    "/is_paused",
    "/update_weights",
    "/v1/load_lora_adapter",
    "/v1/unload_lora_adapter",
    "/load_lora_adapter",
    "/unload_lora_adapter",
    "/abort_requests",
    "/abort_request",
    "/start_profile",
    "/stop_profile",
    "/scale_elastic_ep",
    "/is_scaling_elastic_ep",
    "/fault_tolerance",
    "/flush_cache",
    "/update_weights_from_disk",
    "/update_weights_from_tensor",
    "/update_weights_from_distributed",
    "/release_memory_occupation",
    "/resume_memory_occupation",
    "/sim",
};

constexpr std::string_view kResponses = "/v1/responses/";

std::string_view without_slash_at_end(std::string_view path) {
    return path.size() > 1 && path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
}

/// `path` is one of `rules` or lies below one.
template <std::size_t N>
bool falls_under(std::string_view path, const std::array<std::string_view, N>& rules) {
    return std::ranges::any_of(rules, [path](std::string_view rule) {
        return path.starts_with(rule) && (path.size() == rule.size() || path[rule.size()] == '/');
    });
}

}  // namespace

Route route_of(std::string_view method, std::string_view path) {
    if (path == "*") {
        return Route::options;
    }
    std::string storage;
    const auto normal = http::normal_path(path, storage);
    if (!normal) {
        return Route::unknown;
    }
    const std::string_view clean = without_slash_at_end(*normal);
    const bool reads = method == "GET" || method == "HEAD";
    if (reads && (clean == "/health" || clean == "/liveness")) {
        return Route::liveness;
    }
    if (reads && clean == "/readiness") {
        return Route::readiness;
    }
    if (reads && clean == "/v1/models") {
        return Route::models;
    }
    if (falls_under(clean, kAdminPaths)) {
        return Route::unknown;
    }
    if (falls_under(clean, kEngineControlPaths)) {
        return Route::engine_control;
    }
    const bool inference = openai::api_of("POST", clean) != Api::other;
    if (inference && method != "POST" && method != "OPTIONS") {
        return Route::post_only;
    }
    return Route::forward;
}

std::string_view response_id_of(std::string_view path) {
    if (!path.starts_with(kResponses)) {
        return {};
    }
    const std::string_view rest = path.substr(kResponses.size());
    return rest.substr(0, rest.find('/'));
}

}  // namespace warmlane::proxy
