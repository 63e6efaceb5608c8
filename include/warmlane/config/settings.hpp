#pragma once

#include "warmlane/config/config.hpp"
#include "warmlane/config/setting.hpp"

#include <span>
#include <string>

namespace warmlane::config {

/// Every setting of a gateway, group by group: what stands in the file besides `plugins`,
/// `schedulingProfiles` and `endpoints`. A view of one fixed table.
std::span<const Setting<Config>> settings();

/// Name of the environment variable that goes with a flag: `admin-port` is `WARMLANE_ADMIN_PORT`.
std::string environment_name(std::string_view flag);

}  // namespace warmlane::config
