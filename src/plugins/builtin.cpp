#include "warmlane/plugins/builtin.hpp"

#include "plugins/factories.hpp"
#include "plugins/known_elsewhere.hpp"

namespace warmlane::plugins {
namespace {

constexpr routing::PluginType kBuiltinPlugins[] = {
    {"active-request-scorer", make_active_request_scorer, "prefers the fewest requests in flight"},
    {"approx-prefix-cache-producer", make_approx_prefix_cache_producer, "remembers which prompts went where"},
    {"kv-cache-utilization-scorer", make_kv_cache_utilization_scorer, "prefers the emptiest KV cache"},
    {"max-score-picker", make_max_score_picker, "picks the highest total, equals at random"},
    {"prefix-cache-scorer", make_prefix_cache_scorer, "prefers who holds most of the prompt"},
    {"queue-scorer", make_queue_scorer, "prefers the shortest queue"},
    {"random-picker", make_random_picker, "picks any candidate"},
    {"running-requests-size-scorer", make_running_requests_size_scorer, "prefers the smallest running batch"},
    {"single-profile-handler", make_single_profile_handler, "sends every request through the one profile"},
    {"weighted-random-picker", make_weighted_random_picker, "picks with odds in proportion to the totals"},
};

std::vector<routing::PluginType> all_types() {
    std::vector<routing::PluginType> types(std::begin(kBuiltinPlugins), std::end(kBuiltinPlugins));
    types.insert(types.end(), known_elsewhere().begin(), known_elsewhere().end());
    return types;
}

}  // namespace

const routing::PluginRegistry& builtin_plugins() {
    static const std::vector<routing::PluginType> kTypes = all_types();
    static const routing::PluginRegistry kRegistry(kTypes);
    return kRegistry;
}

}  // namespace warmlane::plugins
