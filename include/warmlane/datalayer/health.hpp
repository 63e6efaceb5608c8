#pragma once

#include "warmlane/core/clock.hpp"
#include "warmlane/core/endpoint.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace warmlane::datalayer {

struct HealthOptions {
    /// Failures in a row after which an endpoint is down; the first one makes it suspect.
    std::uint32_t failures_until_down = 3;
    /// Time between two probes of an endpoint that is down.
    std::chrono::milliseconds probe_interval{1'000};
    std::chrono::milliseconds probe_timeout{1'000};
    /// Path that is asked; any answer below 500 counts as alive.
    std::string probe_path = "/health";
};

/// How a contact with an endpoint went.
enum class Contact : std::uint8_t {
    /// It answered, with whatever status below 500.
    answered,
    /// No connection could be made, or not in time.
    connect_failed,
    /// The connection ended before the answer was complete, or the answer was malformed.
    broken,
    /// It answered 502, 503 or 504, or not in time.
    unavailable,
};

}  // namespace warmlane::datalayer
