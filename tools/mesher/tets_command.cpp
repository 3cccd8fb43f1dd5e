// sinew-mesh tets: surfaces to tets.
#include <CLI/CLI.hpp>

#include "commands.h"
#include "sinew/core/error.h"

namespace sinew::mesher {

Action add_tets(CLI::App&) {
  return []() -> int { fail_input("not there yet"); };
}

}  // namespace sinew::mesher
