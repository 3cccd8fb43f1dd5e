// Starting a scene from the end of another run: its `initial` key.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/scene/scene.h"

namespace sinew {

// The positions, velocities and time in a checkpoint (.h5) or a frame (.vtu) of a run with the same meshes. Throws
// InputError naming the file: unreadable, other meshes, no velocity, or no time.
InitialMotion read_initial(const InitialSetup& initial, const System& system);

// Empty for a scene without `initial`. Throws InputError that begins with `source`.
std::optional<InitialMotion> read_start(const InitialSetup& initial, const System& system, const std::string& source);

// The first state of a simulation with this start. It is not checked, for example for intersections.
State start_state(const System& system, const std::optional<InitialMotion>& motion);

// The simulation at rest and time zero, or at the start that is given. Throws InputError that begins with `source`,
// also when the start intersects.
std::unique_ptr<Simulation> start_simulation(std::shared_ptr<const System> system,
                                             const std::optional<InitialMotion>& motion, const std::string& source);
std::unique_ptr<Simulation> start_simulation(std::shared_ptr<const System> system, const InitialSetup& initial,
                                             const std::string& source);

}  // namespace sinew
