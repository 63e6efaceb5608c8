#pragma once

#include "warmlane/routing/plugin_registry.hpp"

#include <span>

namespace warmlane::plugins {

/// The types of llm-d-router that are known by name and not run here, alphabetical, each with the sentence
/// that a configuration which names it is refused with.
std::span<const routing::PluginType> known_elsewhere();

}  // namespace warmlane::plugins
