#include "app/sim_settings.hpp"

#include <boost/json/object.hpp>

namespace warmlane::app {
namespace {

namespace json = boost::json;
using sim::SimServerOptions;
using Row = config::Setting<SimServerOptions>;

constexpr std::string_view kServer = "Server";
constexpr std::string_view kEngine = "Engine";
constexpr std::string_view kSpeed = "Speed";

constexpr Row row(std::string_view flag, std::string_view group, std::string_view help) {
    return Row{flag, flag, group, help};
}
template <auto Get>
constexpr Row text(std::string_view flag, std::string_view group, std::string_view help) {
    return config::text_setting<SimServerOptions, Get>(row(flag, group, help));
}
template <auto Get>
constexpr Row boolean(std::string_view flag, std::string_view group, std::string_view help) {
    return config::boolean_setting<SimServerOptions, Get>(row(flag, group, help));
}
template <auto Get>
constexpr Row number(std::string_view flag, std::string_view group, std::string_view help) {
    return config::number_setting<SimServerOptions, Get>(row(flag, group, help));
}
template <auto Get>
constexpr Row duration(std::string_view flag, std::string_view group, std::string_view help) {
    return config::duration_setting<SimServerOptions, Get>(row(flag, group, help));
}
/// Up to one hour, with a fraction.
template <auto Get>
constexpr Row microseconds(std::string_view flag, std::string_view group, std::string_view help) {
    Row result = row(flag, group, help).between(0, 3'600'000'000);
    result.kind = config::SettingKind::number;
    result.read = [](const Row& self, JsonReader& reader, std::string_view key, SimServerOptions& options) {
        double value = Get(options).count();
        reader.read(key, value, static_cast<double>(self.min), static_cast<double>(self.max));
        Get(options) = sim::Microseconds(value);
    };
    result.show = [](const SimServerOptions& options) { return json::value(Get(options).count()); };
    return result;
}

constexpr std::int64_t kCountMax = 100'000'000;

constexpr Row kSettings[] = {
    text<[](auto& o) -> auto& { return o.address; }>("address", kServer, "IP address to take requests on"),
    number<[](auto& o) -> auto& { return o.port; }>("port", kServer, "port; 0 is any free one")
        .between(0, 65'535),
    text<[](auto& o) -> auto& { return o.model; }>("model", kServer, "name of the model"),
    duration<[](auto& o) -> auto& { return o.startup; }>("startup", kServer, "time before it is healthy"),
    duration<[](auto& o) -> auto& { return o.keep_alive_timeout; }>(
        "keep-alive-timeout", kServer, "longest idle time of a connection"
    ),
    number<[](auto& o) -> auto& { return o.answer_tokens; }>(
        "answer-tokens", kServer, "length of an answer when the request sets none"
    )
        .between(1, 1'000'000),
    boolean<[](auto& o) -> auto& { return o.report_cached_tokens; }>(
        "report-cached-tokens", kServer, "tell in usage how many prompt tokens were cached"
    ),

    number<[](auto& o) -> auto& { return o.engine.block_tokens; }>(
        "block-tokens", kEngine, "tokens in one block of the KV cache"
    )
        .between(1, 4'096),
    number<[](auto& o) -> auto& { return o.engine.block_count; }>(
        "block-count", kEngine, "blocks in the KV cache"
    )
        .between(1, kCountMax),
    boolean<[](auto& o) -> auto& { return o.engine.prefix_caching; }>(
        "prefix-caching", kEngine, "share equal blocks between requests"
    ),
    number<[](auto& o) -> auto& { return o.engine.step_tokens_max; }>(
        "step-tokens", kEngine, "most tokens computed in one step"
    )
        .between(1, kCountMax),
    number<[](auto& o) -> auto& { return o.engine.running_max; }>(
        "running", kEngine, "most requests running at once"
    )
        .between(1, 100'000),
    number<[](auto& o) -> auto& { return o.engine.waiting_max; }>(
        "waiting", kEngine, "most requests waiting; more are refused"
    )
        .between(0, 1'000'000),
    number<[](auto& o) -> auto& { return o.engine.model_tokens_max; }>(
        "model-tokens", kEngine, "most tokens of one request"
    )
        .between(1, kCountMax),

    microseconds<[](auto& o) -> auto& { return o.engine.step_base; }>(
        "step-us", kSpeed, "microseconds of every step"
    ),
    microseconds<[](auto& o) -> auto& { return o.engine.step_per_prefill_token; }>(
        "prefill-token-us", kSpeed, "microseconds more for each prompt token that is computed"
    ),
    microseconds<[](auto& o) -> auto& { return o.engine.step_per_request; }>(
        "request-us", kSpeed, "microseconds more for each running request"
    ),
    number<[](auto& o) -> auto& { return o.engine.speed; }>(
        "speed", kSpeed, "how many times as fast time runs"
    )
        .between(0, 1'000'000),
    number<[](auto& o) -> auto& { return o.engine.seed; }>("seed", kSpeed, "chooses the answers")
        .between(0, std::int64_t{1} << 53),
};

}  // namespace

std::span<const Row> sim_settings() {
    return kSettings;
}

SimServerOptions default_sim_options() {
    SimServerOptions options;
    options.port = 8'000;
    return options;
}

SimServerOptions read_sim_options(const std::vector<Flag>& flags, std::vector<std::string>& errors) {
    json::value given(json::object_kind);
    for (const auto& [name, value] : flags) {
        for (const Row& setting : kSettings) {
            if (setting.flag == name) {
                given.get_object()[name] = config::parse_setting(setting.kind, value);
            }
        }
    }
    SimServerOptions options = default_sim_options();
    std::vector<ReadError> found;
    JsonReader reader(given, "", found);
    for (const Row& setting : kSettings) {
        setting.read(setting, reader, setting.flag, options);
    }
    if (options.engine.speed <= 0) {
        reader.fail("speed", "must be above 0");
    }
    for (const ReadError& error : found) {
        errors.push_back(fmt::format("--{}: {}", error.path, error.message));
    }
    return options;
}

}  // namespace warmlane::app
