// The commands of sinew-mesh: each adds its options to the parser and returns what to do when it is the one called.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace sinew::mesher {

// Returns the exit code; errors are thrown.
using Action = std::function<int()>;

Action add_shape(CLI::App& app);
Action add_tets(CLI::App& app);

}  // namespace sinew::mesher
