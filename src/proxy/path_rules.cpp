#include "path_rules.hpp"

#include "warmlane/openai/parse_request.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

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

std::optional<unsigned> hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return static_cast<unsigned>(c - '0');
    }
    const char lower = static_cast<char>(c | 0x20);
    if (lower >= 'a' && lower <= 'f') {
        return static_cast<unsigned>(lower - 'a' + 10);
    }
    return std::nullopt;
}

std::string unescaped(std::string_view path) {
    std::string out;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] == '%' && i + 2 < path.size()) {
            const auto high = hex_digit(path[i + 1]);
            const auto low = hex_digit(path[i + 2]);
            if (high && low) {
                out += static_cast<char>(*high * 16 + *low);
                i += 2;
                continue;
            }
        }
        out += path[i];
    }
    return out;
}

/// Escapes resolved, empty and dot segments gone, no slash at the end.
std::string canonical(std::string_view path) {
    const std::string plain = unescaped(path);
    std::vector<std::string_view> segments;
    for (std::size_t begin = 0; begin < plain.size();) {
        const std::size_t end = std::min(plain.find('/', begin), plain.size());
        const std::string_view segment = std::string_view(plain).substr(begin, end - begin);
        if (segment == ".." && !segments.empty()) {
            segments.pop_back();
        } else if (!segment.empty() && segment != "." && segment != "..") {
            segments.push_back(segment);
        }
        begin = end + 1;
    }
    std::string out;
    for (const std::string_view segment : segments) {
        out += '/';
        out += segment;
    }
    return out.empty() ? "/" : out;
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
    const std::string clean = canonical(path);
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
