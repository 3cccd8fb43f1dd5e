// Checkpoints: a simulation's state and scene, from which a run or script continues, bit for bit the same.
#pragma once

#include <string>

#include "sinew/core/archive.h"
#include "sinew/core/error.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/io/report_rows.h"
#include "sinew/scene/fit_materials.h"

namespace sinew {

// The scene of a run as read_scene() completed it, and the folder to which its paths are relative.
struct SceneText {
  Json completed;
  std::string base_folder;
  std::string system_hash, mesh_hash;  // hashes of the System as built, if already computed
  Measurements measured = {};          // data to which materials were fitted
  // The scene from which the system was built, if settings in `completed` were changed since; else null.
  Json built = {};
};

// Records of the run at the time of the checkpoint.
struct RunProgress {
  Json row;  // row of the checkpoint's step; null at step 0
  double setup_seconds = 0, total_seconds = 0;
  // Findings about the scene; null if written by a version that recorded none.
  Json findings;
};

// Writes `path` whole or not at all. `scene` is the one from which the simulation was built; later changes are stored
// separately (Simulation::save). Throws SimulationError naming the path.
void write_checkpoint(const std::string& path, const SceneText& scene, const Simulation& simulation,
                      const RunProgress& progress = {});

// The contents of such a file, without progress, and their reader. source: replaces the path in error messages.
std::string checkpoint_bytes(const SceneText& scene, const Simulation& simulation);
ArchiveReader checkpoint_from_bytes(std::string bytes, const std::string& source);

// Reads the scene of a checkpoint. Throws InputError naming the file and the reason.
SceneText checkpoint_scene(const std::string& path);
SceneText checkpoint_scene(const ArchiveReader& archive);

// Sets `simulation`, which must be built from `scene`, to the checkpoint's state. Throws InputError if the checkpoint
// belongs to another scene or other mesh files; the message names the first difference in deciding_part(). A key that
// the checkpoint's version did not have counts as its default.
RunProgress load_checkpoint(const std::string& path, const SceneText& scene, Simulation& simulation);
RunProgress load_checkpoint(const ArchiveReader& archive, const SceneText& scene, Simulation& simulation);

// Whether settings were changed, or vertices released or held, before the checkpoint was written.
bool holds_changes(const std::string& path);

// Loads the state, and the changes that were made before, from a simulation of the same meshes with any settings.
// Throws InputError naming the file.
void load_state(const std::string& path, Simulation& simulation);

// Returns the part of a completed scene that must not change between checkpoint and resumed run. It excludes output,
// compare, initial, solver.max_iterations and, in dynamics, the number of steps. In statics that number determines the
// loads.
Json deciding_part(Json scene);

// Returns a hash of the bodies' elements in the numbering of their files. Systems with equal hashes can load each
// other's states.
std::string mesh_hash(const System& system);

// Hash of the order in which State::material_history has its numbers; empty: the scene has no viscous or plastic
// material.
std::string history_layout(const System& system);

// Returns a hash of all data of a system that come from files or the scene: meshes, masses, materials, obstacles.
std::string system_hash(const System& system);

}  // namespace sinew
