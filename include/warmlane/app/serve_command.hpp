#pragma once

#include "warmlane/config/load_config.hpp"

namespace warmlane::app {

/// Runs the gateway until it is told to stop, with a banner at the start and a summary at the end on standard
/// output. Returns the exit code.
int run_serve(config::LoadedConfig loaded);

}  // namespace warmlane::app
