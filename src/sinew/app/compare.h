// Compares methods: each starts every step from the first method's state, or evolves independently.
#pragma once

#include <string>
#include <vector>

#include "sinew/app/scene_options.h"
#include "sinew/io/checkpoint.h"
#include "sinew/io/report_rows.h"
#include "sinew/scene/scene.h"

namespace sinew::app {

// A method with its settings.
struct MethodVariant {
  std::string label;  // as the user wrote it
  SolverSetup solver;
  nlohmann::ordered_json scene;  // with all defaults, for the cache of reached states
  std::vector<std::string> warnings;
};

struct CompareSettings {
  std::vector<MethodVariant> methods;  // the first is the reference
  int from = 0;                        // number of steps before the comparison starts
  MethodVariant reach;                 // the method that computes these steps
  int steps = 10;
  int starts = 1;      // number of starts, whose velocities differ by rounding
  bool free = false;   // each method continues from its own states
  bool quiet = false;  // show no progress
};

// Distances of vertices from their positions with the first method, over the scene's diagonal.
struct StepError {
  double largest = 0, mean = 0, rms = 0;
};

struct MethodStep {
  int step = 0;
  Outcome outcome = Outcome::converged;
  double seconds = 0, linear_solve_seconds = 0;
  double local_iterations = 0;
  long newton_iterations = 0, linear_iterations = 0, factorizations = 0;
  double residual = 0;  // |d|_inf / h at the end [m/s]
  StepError error;
};

struct MethodResult {
  std::string method;
  std::string settled, reason;  // the method that "auto" chose here, and why
  double setup_seconds = 0;
  std::vector<MethodStep> steps;
};

// Throws InputError naming the option unless the text is the name of a method, optionally followed by settings.
void check_variant(const char* option, const std::string& text);

// Reads "METHOD:KEY=VALUE:...", where KEY is a key of the scene's `solver`. Logs no warnings. Throws InputError naming
// the option.
MethodVariant read_variant(const char* option, const std::string& text, const SceneOptions& options);

// Runs the comparison. Throws InputError for invalid input, SimulationError if a method fails.
std::vector<MethodResult> compare_methods(const Scene& scene, std::shared_ptr<const System> system,
                                          const CompareSettings& settings);

// Returns the report of `sinew compare --json`.
Json comparison_report(const std::string& scene, const CompareSettings& settings,
                       const std::vector<MethodResult>& results);

}  // namespace sinew::app
