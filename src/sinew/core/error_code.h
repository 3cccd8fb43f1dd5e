// The codes of errors. Each is the heading of a section of docs/errors.md, which `sinew explain CODE` prints.
#pragma once

#include <string>

namespace sinew {

struct ErrorCode {
  const char* id;
};

// Adds the code at the end of the message's first line: "scene.json: time.step: found 0, ... [E-scene-value]".
std::string with_code(const std::string& message, const std::string& id);

// Removes the code that with_code() has added, for messages of another program of sinew.
std::string without_code(const std::string& message);

namespace code {

// The command line and output folders.
inline constexpr ErrorCode usage{"E-usage"};
inline constexpr ErrorCode set{"E-set"};
inline constexpr ErrorCode output_exists{"E-output-exists"};
inline constexpr ErrorCode output_write{"E-output-write"};
inline constexpr ErrorCode output_busy{"E-output-busy"};
inline constexpr ErrorCode run_folder{"E-run-folder"};
inline constexpr ErrorCode resume{"E-resume"};
inline constexpr ErrorCode resume_output{"E-resume-output"};
inline constexpr ErrorCode checkpoint_scene{"E-checkpoint-scene"};
inline constexpr ErrorCode initial{"E-initial"};
inline constexpr ErrorCode check_findings{"E-check-findings"};
inline constexpr ErrorCode strict{"E-strict"};
inline constexpr ErrorCode interrupted{"E-interrupted"};
inline constexpr ErrorCode memory{"E-memory"};
inline constexpr ErrorCode program{"E-program"};
inline constexpr ErrorCode system{"E-system"};
inline constexpr ErrorCode internal{"E-internal"};

// Files.
inline constexpr ErrorCode file_read{"E-file-read"};
inline constexpr ErrorCode file_type{"E-file-type"};
inline constexpr ErrorCode file_format{"E-file-format"};
inline constexpr ErrorCode file_damaged{"E-file-damaged"};
inline constexpr ErrorCode array_file{"E-array-file"};

// Scenes.
inline constexpr ErrorCode scene_json{"E-scene-json"};
inline constexpr ErrorCode scene_key{"E-scene-key"};
inline constexpr ErrorCode scene_missing{"E-scene-missing"};
inline constexpr ErrorCode scene_choice{"E-scene-choice"};
inline constexpr ErrorCode scene_value{"E-scene-value"};
inline constexpr ErrorCode scene_name{"E-scene-name"};
inline constexpr ErrorCode field{"E-field"};
inline constexpr ErrorCode selection{"E-selection"};
inline constexpr ErrorCode fix_conflict{"E-fix-conflict"};
inline constexpr ErrorCode load{"E-load"};
inline constexpr ErrorCode spring{"E-spring"};
inline constexpr ErrorCode tie{"E-tie"};
inline constexpr ErrorCode bolt{"E-bolt"};
inline constexpr ErrorCode sensor{"E-sensor"};
inline constexpr ErrorCode interference{"E-interference"};
inline constexpr ErrorCode affine_body{"E-affine-body"};
inline constexpr ErrorCode sound{"E-sound"};

// Materials.
inline constexpr ErrorCode material_model{"E-material-model"};
inline constexpr ErrorCode material_parameters{"E-material-parameters"};
inline constexpr ErrorCode material_value{"E-material-value"};
inline constexpr ErrorCode material_missing{"E-material-missing"};
inline constexpr ErrorCode measurement{"E-measurement"};

// Meshes.
inline constexpr ErrorCode mesh_empty{"E-mesh-empty"};
inline constexpr ErrorCode mesh_surface{"E-mesh-surface"};
inline constexpr ErrorCode mesh_index{"E-mesh-index"};
inline constexpr ErrorCode mesh_finite{"E-mesh-finite"};
inline constexpr ErrorCode mesh_topology{"E-mesh-topology"};
inline constexpr ErrorCode mesh_flat{"E-mesh-flat"};
inline constexpr ErrorCode mesh_folded{"E-mesh-folded"};
inline constexpr ErrorCode mesh_size{"E-mesh-size"};

// The mesher.
inline constexpr ErrorCode mesher{"E-mesher"};
inline constexpr ErrorCode mesher_size{"E-mesher-size"};
inline constexpr ErrorCode shape_parameter{"E-shape-parameter"};
inline constexpr ErrorCode surface_open{"E-surface-open"};
inline constexpr ErrorCode surface_faults{"E-surface-faults"};
inline constexpr ErrorCode surface_intersects{"E-surface-intersects"};
inline constexpr ErrorCode surface_empty{"E-surface-empty"};
inline constexpr ErrorCode surface_scale{"E-surface-scale"};

// Methods and steps.
inline constexpr ErrorCode method{"E-method"};
inline constexpr ErrorCode subspace{"E-subspace"};
inline constexpr ErrorCode cubature{"E-cubature"};
inline constexpr ErrorCode modes{"E-modes"};
inline constexpr ErrorCode modes_stiffness{"E-modes-stiffness"};
inline constexpr ErrorCode start_intersection{"E-start-intersection"};
inline constexpr ErrorCode start_inverted{"E-start-inverted"};
inline constexpr ErrorCode static_free{"E-static-free"};
inline constexpr ErrorCode steps_done{"E-steps-done"};
inline constexpr ErrorCode step_failed{"E-step-failed"};
inline constexpr ErrorCode not_finite{"E-not-finite"};
inline constexpr ErrorCode factorization{"E-factorization"};

// Python, and changes between steps.
inline constexpr ErrorCode argument{"E-argument"};
inline constexpr ErrorCode edit{"E-edit"};
inline constexpr ErrorCode python_call{"E-python-call"};
inline constexpr ErrorCode picture{"E-picture"};
inline constexpr ErrorCode live_address{"E-live-address"};
inline constexpr ErrorCode live_event{"E-live-event"};
inline constexpr ErrorCode script{"E-script"};

}  // namespace code
}  // namespace sinew
