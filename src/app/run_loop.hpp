#pragma once

#include "warmlane/http/types.hpp"

namespace warmlane::app {

/// Runs an event loop until it is stopped or has no work. An exception that leaves a handler is logged, and
/// the loop goes on: one broken connection must not end the others.
void run_loop(http::asio::io_context& context);

}  // namespace warmlane::app
