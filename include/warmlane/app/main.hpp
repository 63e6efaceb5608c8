#pragma once

namespace warmlane::app {

/// The process: reads the command line and runs its sub-command. Returns the exit code.
int main(int argc, const char* const* argv);

}  // namespace warmlane::app
