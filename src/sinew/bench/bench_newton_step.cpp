// Benchmark of whole time steps.

#include "sinew/bench/bench.h"
#include "sinew/bench/bench_scenes.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/simulation.h"

namespace sinew {
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
  const double other = seconds.steps - seconds.linear_solve + seconds.symbolic;
  return {{"tets", simulation.system().tet_count()},        {"newton_iterations", iterations},
          {"seconds_per_step", seconds.steps / steps},      {"outside_factorisation_and_solve", other / seconds.steps},
          {"collision", seconds.collision / seconds.steps}, {"assembly", seconds.assembly / seconds.steps}};
}

}  // namespace

BenchResult bench_newton_step() {
  const Json direct = timed_steps("newton"), iterative = timed_steps("newton-pcg");
  return {{"newton", direct},
          {"newton-pcg", iterative},
          {"pcg_over_direct", iterative["seconds_per_step"].get<double>() / direct["seconds_per_step"].get<double>()}};
}

// The same steps (they have the same bits) with one thread and with all, in turns.
BenchResult bench_scaling() {
  constexpr double fine_edge = 0.0098;  // [m]
  constexpr int measured_steps = 3;
  Simulation serial(bench_contact_pair(fine_edge, "newton")), parallel(bench_contact_pair(fine_edge, "newton"));
  TimeSplit one, all;
  for (int s = 0; s <= measured_steps; ++s) {
    const auto timed_step = [&](Simulation& simulation, TimeSplit& sum) {
      const TimeSplit seconds = simulation.step().seconds;
      if (s > 0) sum += seconds;  // the first one allocates
    };
    {
      const ThreadLimit limit(1);
      timed_step(serial, one);
    }
    timed_step(parallel, all);
  }
  const auto outside = [](const TimeSplit& t) { return t.steps - t.linear_solve; };
  return {{"tets", serial.system().tet_count()},
          {"threads", thread_count()},
          {"seconds_per_step_one_thread", one.steps / measured_steps},
          {"outside_factorisation_and_solve", (outside(one) + one.symbolic) / one.steps},
          {"collision", one.collision / one.steps},
          {"symbolic", one.symbolic / one.steps},
          {"speedup", one.steps / all.steps},
          {"speedup_linear_solve", (one.linear_solve - one.symbolic) / (all.linear_solve - all.symbolic)},
          {"speedup_outside_linear_solve", outside(one) / outside(all)},
          {"speedup_assembly", one.assembly / all.assembly},
          {"speedup_collision", one.collision / all.collision},
          {"speedup_line_search", one.line_search / all.line_search}};
}

}  // namespace sinew
