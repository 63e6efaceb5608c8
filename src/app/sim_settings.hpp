#pragma once

#include "app/flags.hpp"

#include "warmlane/config/setting.hpp"
#include "warmlane/sim/sim_server.hpp"

#include <span>
#include <string>
#include <vector>

namespace warmlane::app {

/// Every setting of a simulated model server; only flags set them, so path and flag are one. A view of one
/// table.
std::span<const config::Setting<sim::SimServerOptions>> sim_settings();

/// As `sim_settings` shows them: those of the server, at vLLM's port.
sim::SimServerOptions default_sim_options();

/// The options that the flags ask for. What is wrong is added to `errors`, a sentence each.
sim::SimServerOptions read_sim_options(const std::vector<Flag>& flags, std::vector<std::string>& errors);

}  // namespace warmlane::app
