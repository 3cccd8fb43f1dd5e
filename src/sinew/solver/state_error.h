// The estimated error of a state, and the motion of its step.
#pragma once

#include "sinew/model/step_context.h"

namespace sinew {

struct StateError {
  double estimate = 0;  // mean over the vertices of the estimated distance from the full-space solution [m]
  double motion = 0;    // mean over the vertices of |x_i - x_i at the start of the step| [m]
  // In statics, for a subspace: whether the full-space E decreases along a motion that the subspace cannot represent.
  bool unstable = false;
};

// Computes the error over the bodies' vertices at x (3 x n_all). Its estimate is `factor` times the mean of d (3 x
// n_all).
StateError state_error(const Points& x, const StepContext& context, const Points& d, double factor);

}  // namespace sinew
