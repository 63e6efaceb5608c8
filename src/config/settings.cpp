#include "warmlane/config/settings.hpp"

#include <array>
#include <string_view>

namespace warmlane::config {
namespace {

using namespace std::string_view_literals;

using Row = Setting<Config>;

constexpr std::array kLogLevels = {"debug"sv, "info"sv, "warn"sv, "error"sv, "off"sv};
constexpr std::array kLogFormats = {"auto"sv, "text"sv, "json"sv};

constexpr std::string_view kListening = "Listening";
constexpr std::string_view kProcess = "Process";
constexpr std::string_view kConnections = "Connections of clients";
constexpr std::string_view kLimits = "Limits of requests";
constexpr std::string_view kEndpoints = "Requests to endpoints";
constexpr std::string_view kPicture = "Picture of the pool";
constexpr std::string_view kLog = "Log";

// The parts of one row: where it stands in the file, its flag, its heading, and what it is.
template <auto Get>
constexpr Row text(
    std::string_view path, std::string_view flag, std::string_view group, std::string_view help
) {
    return text_setting<Config, Get>(Row{path, flag, group, help});
}
template <auto Get, const auto& Words>
constexpr Row choice(
    std::string_view path, std::string_view flag, std::string_view group, std::string_view help
) {
    return choice_setting<Config, Get, Words>(Row{path, flag, group, help});
}
template <auto Get>
constexpr Row flag(
    std::string_view path, std::string_view flag, std::string_view group, std::string_view help
) {
    return boolean_setting<Config, Get>(Row{path, flag, group, help});
}
template <auto Get>
constexpr Row number(
    std::string_view path, std::string_view flag, std::string_view group, std::string_view help
) {
    return number_setting<Config, Get>(Row{path, flag, group, help});
}
template <auto Get>
constexpr Row duration(
    std::string_view path, std::string_view flag, std::string_view group, std::string_view help
) {
    return duration_setting<Config, Get>(Row{path, flag, group, help}).at_least(1);
}
template <auto Get>
constexpr Row size(
    std::string_view path, std::string_view flag, std::string_view group, std::string_view help
) {
    return size_setting<Config, Get>(Row{path, flag, group, help});
}

constexpr Row kSettings[] = {
    text<[](auto& c) -> auto& { return c.listen.address; }>(
        "listen.address", "address", kListening, "IP address to take requests on"
    )
        .in_short_help(),
    number<[](auto& c) -> auto& { return c.listen.port; }>(
        "listen.port", "port", kListening, "port to take requests on; 0 is any free one"
    )
        .between(0, 65'535)
        .in_short_help(),
    text<[](auto& c) -> auto& { return c.admin.address; }>(
        "admin.address", "admin-address", kListening, "IP address of metrics, status and explain"
    )
        .in_short_help(),
    number<[](auto& c) -> auto& { return c.admin.port; }>(
        "admin.port", "admin-port", kListening, "port of metrics, status and explain; 0 is any free one"
    )
        .between(0, 65'535)
        .in_short_help(),

    number<[](auto& c) -> auto& { return c.threads; }>(
        "threads", "threads", kProcess, "I/O threads; 0 is one for each processor"
    )
        .between(0, 256)
        .in_short_help(),
    number<[](auto& c) -> auto& { return c.demo; }>(
        "demo", "demo", kProcess, "simulated model servers inside the process"
    )
        .between(0, 64)
        .in_short_help(),
    flag<[](auto& c) -> auto& { return c.proxy.debug_headers; }>(
        "debugHeaders", "debug-headers", kProcess, "tell clients who served them, in x-warmlane-* fields"
    )
        .in_short_help(),
    duration<[](auto& c) -> auto& { return c.shutdown_grace; }>(
        "shutdown.grace", "shutdown-grace", kProcess, "time that running requests get at the end"
    )
        .at_least(0)
        .in_short_help(),

    choice<[](auto& c) -> auto& { return c.log.level; }, kLogLevels>(
        "log.level", "log-level", kLog, "debug, info, warn, error or off"
    )
        .in_short_help(),
    choice<[](auto& c) -> auto& { return c.log.format; }, kLogFormats>(
        "log.format", "log-format", kLog, "text, json, or auto: text on a terminal"
    )
        .in_short_help(),
    flag<[](auto& c) -> auto& { return c.log.access; }>(
        "log.access", "log-access", kLog, "one line for each request"
    )
        .in_short_help(),

    duration<[](auto& c) -> auto& { return c.listen.head_timeout; }>(
        "listen.headTimeout", "head-timeout", kConnections, "time for a request's head to arrive"
    ),
    duration<[](auto& c) -> auto& { return c.listen.body_timeout; }>(
        "listen.bodyTimeout", "body-timeout", kConnections, "longest pause inside a request's body"
    ),
    duration<[](auto& c) -> auto& { return c.listen.keep_alive_timeout; }>(
        "listen.keepAliveTimeout",
        "keep-alive-timeout",
        kConnections,
        "longest idle time between two requests"
    ),
    duration<[](auto& c) -> auto& { return c.listen.write_timeout; }>(
        "listen.writeTimeout",
        "write-timeout",
        kConnections,
        "time for a client to take one piece of an answer"
    ),

    size<[](auto& c) -> auto& { return c.proxy.request_body_bytes_max; }>(
        "limits.requestBodyBytes", "limit-request-body-bytes", kLimits, "longest body of a request"
    )
        .at_least(1),
    size<[](auto& c) -> auto& { return c.listen.head.bytes; }>(
        "limits.headerBytes", "limit-header-bytes", kLimits, "longest head of a request"
    )
        .at_least(1024),
    number<[](auto& c) -> auto& { return c.listen.head.fields; }>(
        "limits.headerFields", "limit-header-fields", kLimits, "most header fields of a request"
    )
        .between(1, 10'000),
    number<[](auto& c) -> auto& { return c.listen.connections_max; }>(
        "limits.connections", "limit-connections", kLimits, "most connections of clients at once"
    )
        .between(1, 1'000'000),

    number<[](auto& c) -> auto& { return c.proxy.retries; }>(
        "upstream.retries", "upstream-retries", kEndpoints, "further attempts after the first"
    )
        .between(0, 10)
        .in_short_help(),
    duration<[](auto& c) -> auto& { return c.upstream.connect_timeout; }>(
        "upstream.connectTimeout", "upstream-connect-timeout", kEndpoints, "time for a connection"
    ),
    duration<[](auto& c) -> auto& { return c.upstream.first_byte_timeout; }>(
        "upstream.firstByteTimeout",
        "upstream-first-byte-timeout",
        kEndpoints,
        "time for the head of an answer"
    )
        .in_short_help(),
    duration<[](auto& c) -> auto& { return c.upstream.idle_timeout; }>(
        "upstream.idleTimeout", "upstream-idle-timeout", kEndpoints, "longest pause inside an answer"
    ),
    duration<[](auto& c) -> auto& { return c.upstream.total_timeout; }>(
        "upstream.totalTimeout", "upstream-total-timeout", kEndpoints, "time for a whole exchange"
    ),
    duration<[](auto& c) -> auto& { return c.upstream.keep_alive_timeout; }>(
        "upstream.keepAliveTimeout",
        "upstream-keep-alive-timeout",
        kEndpoints,
        "how long an idle connection is kept"
    )
        .at_least(0),
    number<[](auto& c) -> auto& { return c.upstream.idle_connections_max; }>(
        "upstream.idleConnections",
        "upstream-idle-connections",
        kEndpoints,
        "idle connections kept for each endpoint and thread"
    )
        .between(0, 65'535),

    duration<[](auto& c) -> auto& { return c.data_layer.metrics.interval; }>(
        "metrics.interval", "metrics-interval", kPicture, "time between two scrapes of an endpoint"
    )
        .at_least(10),
    duration<[](auto& c) -> auto& { return c.data_layer.metrics.timeout; }>(
        "metrics.timeout", "metrics-timeout", kPicture, "time for one scrape"
    ),
    duration<[](auto& c) -> auto& { return c.data_layer.metrics.stale_after; }>(
        "metrics.staleAfter", "metrics-stale-after", kPicture, "age at which metrics count as unknown"
    ),
    number<[](auto& c) -> auto& { return c.data_layer.health.failures_until_down; }>(
        "health.failures", "health-failures", kPicture, "failures in a row that take an endpoint out"
    )
        .between(1, 1'000),
    duration<[](auto& c) -> auto& { return c.data_layer.health.probe_interval; }>(
        "health.probeInterval",
        "health-probe-interval",
        kPicture,
        "time between two probes of a failed endpoint"
    )
        .at_least(10),
    duration<[](auto& c) -> auto& { return c.data_layer.health.probe_timeout; }>(
        "health.probeTimeout", "health-probe-timeout", kPicture, "time for one probe"
    ),
    text<[](auto& c) -> auto& { return c.data_layer.health.probe_path; }>(
        "health.probePath", "health-probe-path", kPicture, "path that a probe asks"
    ),
};

}  // namespace

std::span<const Setting<Config>> settings() {
    return kSettings;
}

std::string environment_name(std::string_view flag) {
    std::string name = "WARMLANE_";
    for (const char c : flag) {
        name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    }
    return name;
}

}  // namespace warmlane::config
