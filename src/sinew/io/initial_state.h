// Starting a scene from the end of another run: its `initial` key.
#pragma once

#include <string>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"

namespace sinew {

// The positions and velocities in a checkpoint (.h5) or a frame (.vtu) of a run with the same meshes. Throws InputError
// naming the file: unreadable, of other meshes, or without velocity.
InitialMotion read_initial(const std::string& path, const System& system);

// The simulation at time zero, from the file of `initial` when that is not empty. Throws InputError that begins with
// `source`, also when the start intersects.
std::unique_ptr<Simulation> start_simulation(std::shared_ptr<const System> system, const std::string& initial,
                                             const std::string& source);

}  // namespace sinew
