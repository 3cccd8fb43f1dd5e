// The commands: each adds its options to the parser and returns what to do when it is the one called.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace sinew::app {

// Returns the exit code; errors are thrown.
using Action = std::function<int()>;

Action add_run(CLI::App& app);
Action add_check(CLI::App& app);
Action add_compare(CLI::App& app);
Action add_bench(CLI::App& app);
Action add_info(CLI::App& app);

}  // namespace sinew::app
