// Runs a Setup and checks what must hold after every step.
#pragma once

#include <functional>

#include <gtest/gtest.h>

#include "sinew/contact/intersection.h"
#include "sinew/dynamics/simulation.h"

namespace sinew::test {

// Steps `simulation`, asserting convergence, J > 0 and, by the independent checker, that nothing intersects.
inline StepReport checked_step(Simulation& simulation) {
  const StepReport report = simulation.step();
  EXPECT_TRUE(report.converged) << "step " << report.step << ": " << report.reason;
  EXPECT_GT(report.min_jacobian, 0) << "step " << report.step;
  if (simulation.system().setup.contact.enabled) {
    const State& state = simulation.state();
    EXPECT_TRUE(find_intersections(simulation.system().collision, state.x).empty()) << "step " << report.step;
    EXPECT_TRUE(find_below_planes(simulation.system().collision, state.x, state.planes).empty())
        << "step " << report.step;
  }
  return report;
}

inline void run_checked(
    Simulation& simulation, int steps, const std::function<void(const StepReport&)>& after = [](const StepReport&) {}) {
  for (int s = 0; s < steps && !::testing::Test::HasFatalFailure(); ++s) after(checked_step(simulation));
}

inline Vec3 linear_momentum(const Simulation& simulation) {
  const System& system = simulation.system();
  Vec3 p = Vec3::Zero();
  for (Index i = 0; i < system.dynamic_count; ++i) p += system.mass[i] * simulation.state().v.col(i);
  return p;
}

inline Vec3 center_of_mass(const Simulation& simulation, Index body) {
  const System& system = simulation.system();
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (Index i = 0; i < system.dynamic_count; ++i) {
    if (system.vertex_body[i] != body) continue;
    sum += system.mass[i] * simulation.state().x.col(i);
    mass += system.mass[i];
  }
  return sum / mass;
}

}  // namespace sinew::test
