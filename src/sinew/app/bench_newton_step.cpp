// Benchmark of whole time steps.

#include "sinew/app/bench.h"
#include "sinew/app/bench_scenes.h"
#include "sinew/dynamics/simulation.h"

namespace sinew::app {
namespace {

constexpr double edge = 0.016;  // [m]
constexpr int steps = 5;

Json timed_steps(const std::string& method) {
  Simulation simulation(bench_contact_pair(edge, method));
  simulation.step();  // symbolic factorisation and first allocations
  TimeSplit seconds;
  int iterations = 0;
  for (int s = 0; s < steps; ++s) {
    const StepReport report = simulation.step();
    seconds += report.seconds;
    iterations += report.newton_iterations;
  }
  const double other = seconds.steps - seconds.linear_solve;
  return {{"tets", simulation.system().tet_count()},        {"newton_iterations", iterations},
          {"seconds_per_step", seconds.steps / steps},      {"outside_linear_solve", other / seconds.steps},
          {"collision", seconds.collision / seconds.steps}, {"assembly", seconds.assembly / seconds.steps}};
}

}  // namespace

BenchResult bench_newton_step() {
  const Json direct = timed_steps("newton"), iterative = timed_steps("newton-pcg");
  return {{"newton", direct},
          {"newton-pcg", iterative},
          {"pcg_over_direct", iterative["seconds_per_step"].get<double>() / direct["seconds_per_step"].get<double>()}};
}

}  // namespace sinew::app
