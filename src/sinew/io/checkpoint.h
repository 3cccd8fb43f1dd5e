// Checkpoints: a simulation's state and scene, from which a run or script continues bit for bit.
#pragma once

#include <string>

#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/io/report_rows.h"
#include "sinew/scene/fit_materials.h"

namespace sinew {

// The scene of a run as read_scene() completed it, and the folder its paths are relative to.
struct SceneText {
  Json completed;
  std::string base_folder;
  std::string system_hash, mesh_hash;  // of the System as it was built, where they have been computed already
  Measurements measured = {};          // what materials were fitted to
  Json built = {};  // the scene that it was built from, if settings in `completed` were changed since
};

// The records of the run when it wrote the checkpoint.
struct RunProgress {
  Json row;  // of the checkpoint's step; null at step 0
  double setup_seconds = 0, total_seconds = 0;
  Json findings;  // of its scene; null if the version that wrote the checkpoint recorded none
};

// `scene` is the one that the simulation was built from; later changes are stored apart (Simulation::save). Writes
// `path` whole or not at all. Throws SimulationError naming the path.
void write_checkpoint(const std::string& path, const SceneText& scene, const Simulation& simulation,
                      const RunProgress& progress = {});

// The scene of a checkpoint. Throws InputError naming the file and the reason.
SceneText checkpoint_scene(const std::string& path);

// Puts `simulation`, which was built from `scene`, into the checkpoint's state. Throws InputError when the checkpoint
// is of another scene or of other mesh files, naming the first difference in deciding_part(). A key that is newer than
// the checkpoint counts as its default.
RunProgress load_checkpoint(const std::string& path, const SceneText& scene, Simulation& simulation);

// Whether settings were changed, or vertices released or held, before the checkpoint was written.
bool holds_changes(const std::string& path);

// Loads the state and the changes that led to it, from a simulation of the same meshes with any settings. Throws
// InputError naming the file.
void load_state(const std::string& path, Simulation& simulation);

// The part of a completed scene that must not change between checkpoint and resumed run. It leaves out output, compare,
// initial, solver.max_iterations and, in dynamics, the number of steps. In statics that number sets the loads.
Json deciding_part(Json scene);

// Hash of the bodies' elements in the numbering of their files. If hashes are equal, positions are interchangeable.
std::string mesh_hash(const System& system);

// Hash of everything in a system that comes from files or the scene: meshes, masses, materials, obstacles.
std::string system_hash(const System& system);

}  // namespace sinew
