// Starts a scene from the end of another run: the scene's key `initial`.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/scene/scene.h"

namespace sinew {

// Reads positions, velocities and time from a checkpoint (.h5) or a frame (.vtu) of a run with the same meshes. Throws
// InputError naming the file if it is unreadable, has other meshes, or lacks velocity or time.
InitialMotion read_initial(const InitialSetup& initial, const System& system);

// As read_initial(); empty for a scene without `initial`. Throws InputError whose message begins with `source`.
std::optional<InitialMotion> read_start(const InitialSetup& initial, const System& system, const std::string& source);

// Returns the first state of a simulation with this start. Does not check it, for example for intersections.
State start_state(const System& system, const std::optional<InitialMotion>& motion);

// Makes a simulation that starts at rest at time zero, or from `motion`. Throws InputError whose message begins with
// `source`, also if the start intersects.
std::unique_ptr<Simulation> start_simulation(std::shared_ptr<const System> system,
                                             const std::optional<InitialMotion>& motion, const std::string& source);
std::unique_ptr<Simulation> start_simulation(std::shared_ptr<const System> system, const InitialSetup& initial,
                                             const std::string& source);

}  // namespace sinew
