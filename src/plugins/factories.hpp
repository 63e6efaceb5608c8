#pragma once

#include "warmlane/core/json_reader.hpp"
#include "warmlane/routing/plugin.hpp"

#include <memory>

namespace warmlane::plugins {

// One factory a plugin, each at the end of the plugin's file, which is named after its type.
std::unique_ptr<routing::Plugin> make_active_request_scorer(JsonReader& parameters);
std::unique_ptr<routing::Plugin> make_approx_prefix_cache_producer(JsonReader& parameters);
std::unique_ptr<routing::Plugin> make_kv_cache_utilization_scorer(JsonReader& parameters);
std::unique_ptr<routing::Plugin> make_max_score_picker(JsonReader& parameters);
std::unique_ptr<routing::Plugin> make_prefix_cache_scorer(JsonReader& parameters);
std::unique_ptr<routing::Plugin> make_queue_scorer(JsonReader& parameters);
std::unique_ptr<routing::Plugin> make_random_picker(JsonReader& parameters);
std::unique_ptr<routing::Plugin> make_running_requests_size_scorer(JsonReader& parameters);
std::unique_ptr<routing::Plugin> make_single_profile_handler(JsonReader& parameters);
std::unique_ptr<routing::Plugin> make_weighted_random_picker(JsonReader& parameters);

}  // namespace warmlane::plugins
