#pragma once

#include "warmlane/routing/plugin_registry.hpp"

namespace warmlane::plugins {

/// Every plugin type that this binary runs, and every one that it knows by name and refuses. Any thread.
const routing::PluginRegistry& builtin_plugins();

}  // namespace warmlane::plugins
