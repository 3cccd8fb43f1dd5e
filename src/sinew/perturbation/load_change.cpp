#include "sinew/perturbation/load_change.h"

#include "sinew/core/error.h"
#include "sinew/model/bolt.h"

namespace sinew {

// With the gradients g_t at the state under the loads of its time and g_1 under full loads: f = -(g_1 - g_t) minus what
// obstacles add to contact forces as they move, to first order (IncrementalPotential::drift).
LoadChange load_change(Tangent& tangent, const char* command) {
  const State& state = tangent.state();
  if (!(state.time < 1))
    fail_input(code::modes,
               "{}: the state is at time {:g}, where the full load acts already; expected a state before time 1. Loads "
               "that are to grow beyond the state need keyframes that end later than its load step",
               command, state.time);
  for (const Bolt& bolt : tangent.system().bolts)
    if (keeps_force(bolt, state.time))
      fail_input(code::bolt,
                 "{}: bolt '{}' of body '{}' keeps its force while loads grow, so that its shortening follows them; "
                 "give it locked_after, and start from a state (--state) in which it is locked",
                 command, bolt.setup.name, tangent.system().bodies[bolt.body].name);
  StaticPotential full(tangent.shared_system(), state, 1);
  std::vector<PlaneState> planes = state.planes;
  Points motion;
  const DisplacementToTarget moved = full.potential().displacement_to_target(state.x, planes, motion);
  Points f = tangent.potential().gradient(state.x) - full.gradient(state.x);
  if (moved.of_obstacles || moved.of_planes) {
    Points drift;
    full.potential().drift(state.x, planes, motion, drift);
    f -= drift;
  }
  LoadChange change;
  change.force = Eigen::Map<const VecX>(f.data(), f.size());
  change.motion = VecX::Zero(f.size());
  for (Eigen::Index c = 0; c < f.size(); ++c)
    if (full.context().prescribed[static_cast<std::size_t>(c)] == prescribed_flag) change.motion[c] = motion.data()[c];
  double largest = change.motion.cwiseAbs().maxCoeff();
  for (Eigen::Index c = 0; c < f.size(); ++c)
    if (!tangent.fixed()[static_cast<std::size_t>(c)]) largest = std::max(largest, std::abs(change.force[c]));
  if (!(largest > 0))
    fail_input(code::modes,
               "{}: no load changes from time {:g} to 1; expected gravity, loads or prescribed motion that "
               "grow. Leave out time.ramp, or give loads keyframes",
               command, state.time);
  return change;
}

VecX linear_response(const Tangent& tangent, SparseCholesky& factor, const LoadChange& change) {
  const MatX f = change.force - Tangent::multiply(tangent.stiffness(), change.motion);
  return tangent.solve(factor, f).col(0) + change.motion;
}

}  // namespace sinew
