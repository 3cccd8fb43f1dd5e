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
  int from = 0;                        // steps done before the comparison
  MethodVariant reach;                 // computes these steps
  int steps = 10;
  bool free = false;   // methods go on from their own states
  bool quiet = false;  // no progress
};

// Distances of vertices from their positions by the first method, over the scene's diagonal.
struct StepError {
  double largest = 0, mean = 0, rms = 0;
};

struct MethodStep {
  int step = 0;
  Outcome outcome = Outcome::converged;
  double seconds = 0, linear_solve_seconds = 0;
  long newton_iterations = 0, linear_iterations = 0, factorizations = 0;
  double residual = 0;  // |d|_inf / h [m/s] at its end
  StepError error;
};

struct MethodResult {
  std::string method;
  std::string settled, reason;  // what method "auto" stands for here, and why
  double setup_seconds = 0;
  std::vector<MethodStep> steps;
};

// Throws InputError naming the option unless the text is the name of a method, followed by settings.
void check_variant(const char* option, const std::string& text);

// Reads "METHOD:KEY=VALUE:...", KEY of the scene's `solver`; logs no warnings. Throws InputError naming the option.
MethodVariant read_variant(const char* option, const std::string& text, const SceneOptions& options);

// Throws InputError for bad input, SimulationError when a method fails.
std::vector<MethodResult> compare_methods(const Scene& scene, std::shared_ptr<const System> system,
                                          const CompareSettings& settings);

// The report of `sinew compare --json`.
Json comparison_report(const std::string& scene, const CompareSettings& settings,
                       const std::vector<MethodResult>& results);

}  // namespace sinew::app
