// Starting a scene from the end of another run: its `initial` key.
#pragma once

#include <string>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"

namespace sinew {

// Gives the bodies the positions and velocities in a checkpoint (.h5) or a frame (.vtu) of a run with the same meshes.
// Time starts at zero and the BDF2 history is dropped. Throws InputError naming the file: unreadable, another number of
// vertices, no velocity, or an intersecting state.
void start_from_file(Simulation& simulation, const std::string& path);

}  // namespace sinew
