// The numbers of a step along the path of equilibria, in its report (dynamics/continuation.h).
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct PathReport {
  double length = 0;          // of the step, in units of time.continuation
  double load_rate = 0;       // dt/ds at its end: below 0 the load falls
  Index negative_pivots = 0;  // negative eigenvalues of the tangent stiffness at its end; 0: stable
  int halvings = 0;           // how often the step was halved
  // Loads at which the load turned within the step: at a maximum where `load_rate` is below 0, else at a minimum.
  std::vector<double> limit_points;
  bool branch = false;  // the number of negative pivots changed without a limit point
  bool ended = false;   // the path ends here

  bool stable() const { return negative_pivots == 0; }
};

}  // namespace sinew
