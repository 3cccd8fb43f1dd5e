// The `sinew` command line.
#pragma once

namespace sinew::app {

// Runs one command. Returns the exit code: 0 done, 1 the simulation failed, 2 bad usage or input.
int run_cli(int argc, const char* const* argv);

}  // namespace sinew::app
