// Reads the state about which a linear analysis works (perturbation/tangent.h).
#pragma once

#include <string>

#include "sinew/model/state.h"
#include "sinew/model/system.h"
#include "sinew/scene/scene.h"

namespace sinew {

// Reads a frame (.vtu), a checkpoint (.h5), or the checkpoint in a run's output folder. A checkpoint also has the
// contact stiffness and the ties that hold. An empty path gives the scene's state at rest at time 0. Throws InputError
// whose message begins with `source`.
State read_base_state(InitialSetup initial, const System& system, const std::string& source);

}  // namespace sinew
