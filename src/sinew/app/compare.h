// Methods side by side: each makes every step from the state that the first method had before it.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/checkpoint.h"
#include "sinew/io/report_rows.h"
#include "sinew/scene/scene.h"

namespace sinew::app {

struct CompareSettings {
  std::vector<std::string> methods;  // the first is the reference
  int from = 0;                      // steps done before the comparison
  std::string reach;                 // method that makes those; empty: the first
  int steps = 10;
};

// Sums over the compared steps.
struct MethodResult {
  std::string method;
  double seconds = 0, setup_seconds = 0;
  long newton_iterations = 0, linear_iterations = 0;
  double max_error = 0, mean_error = 0;  // distance of vertices to the first method's, over the scene's diagonal
  double residual = 0;                   // largest |d|_inf / h [m/s] at the end of a step
  int unconverged = 0;
};

// The scene with another method.
SceneText with_method(const Scene& scene, const std::string& method);

// Throws InputError for bad input, SimulationError when a method fails.
std::vector<MethodResult> compare_methods(const Scene& scene, std::shared_ptr<const System> system,
                                          const CompareSettings& settings);

// The report of `sinew compare --json`.
Json comparison_report(const std::string& scene, const CompareSettings& settings,
                       const std::vector<MethodResult>& results);

}  // namespace sinew::app
