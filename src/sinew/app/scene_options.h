// Options, and the building of scenes, that `run`, `check` and `compare` share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/core/activity.h"
#include "sinew/core/parallel.h"
#include "sinew/io/checkpoint.h"
#include "sinew/scene/scene.h"

namespace CLI {
class App;
}

namespace sinew::app {

struct SceneOptions {
  std::string path;
  std::vector<std::string> overrides;  // --set
  int threads = 0;                     // 0: all cores
  std::string method;                  // --method; empty: the scene's
  int steps = -1;                      // --steps; negative: the scene's
  bool quiet = false;                  // show no progress of meshing
  bool no_warnings = false;            // only collect warnings in Scene::warnings

  void add_to(CLI::App& command);         // SCENE, --set, --threads
  void add_edits_to(CLI::App& command);   // --set, --threads
  void add_method_to(CLI::App& command);  // --method, --steps
};

// Throws InputError naming the option unless the method is known.
void check_method(const char* option, const std::string& method);

// Reads the scene with all overrides applied. A method on the command line takes precedence over solver.linear_solver.
Scene read_scene(const SceneOptions& options);

// Protects input files: throws InputError naming the option if its output file is the scene or a file that the scene
// reads. An empty path means no file.
void keep_inputs(const Scene& scene, const char* option, const std::string& path);
// Protects input files against --overwrite, which removes checkpoint and frames of the run in the folder.
void keep_inputs_in(const Scene& scene, const std::string& folder);
// Throws InputError naming the second option if both paths name the same file. An empty path means no file, "-"
// standard output.
void keep_apart(const char* first_option, const std::string& first, const char* second_option,
                const std::string& second);

// Returns a listener that reports the progress of a method's set-up, and ends it at a signal (see InterruptGuard).
activity::Listener setup_listener(bool quiet = false);

// Returns the text of a scene for checkpoints.
SceneText scene_text(const Scene& scene);

// quoted() quotes a word for a shell. option_text() returns the given options for method, steps, threads and --set,
// each after a space.
std::string quoted(const std::string& word);
std::string option_text(const SceneOptions& options);
// Returns the command with which `sinew check` prints the findings about the scene.
std::string check_command(const SceneOptions& options);

// Returns the name of a scene's file without folder and extension, for default output folders.
std::string scene_stem(const SceneOptions& options);

}  // namespace sinew::app
