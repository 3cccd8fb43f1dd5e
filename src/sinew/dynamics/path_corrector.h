// Newton's iterations from a predicted point to the path of equilibria.
#pragma once

#include <functional>
#include <string>

#include "sinew/dynamics/path_system.h"
#include "sinew/solver/minimizer.h"

namespace sinew {

struct PathCorrection {
  bool converged = false;
  std::string reason;  // why it did not converge
  int iterations = 0;  // of Newton's method, with directions above the tolerance
};

// Moves `point` to the solution of the equations with the constraint. Every iteration keeps bodies from intersecting
// and tets from inverting. Converged means that the stop test of load steps holds: the next direction is below the
// tolerance, forces balance, and contact forces have settled. The system is then linearised at the point.
PathCorrection correct(PathSystem& system, const PathConstraint& constraint, const MinimizerSettings& settings,
                       const std::function<void()>& check_interrupt, PathPoint& point, StepReport& report);

}  // namespace sinew
