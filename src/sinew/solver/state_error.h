// The estimated error of a state beside the motion of its step.
#pragma once

#include "sinew/model/step_context.h"

namespace sinew {

struct StateError {
  double estimate = 0;  // mean over the vertices of the estimated distance from the full-space solution [m]
  double motion = 0;    // mean over the vertices of |x_i - x_i at the start of the step| [m]
  // In statics, of a method in a subspace: whether E of full space falls along some motion that the subspace lacks.
  bool unstable = false;
};

// Of the bodies' vertices at x; `factor` multiplies the lengths of d. Both 3 x n_all.
StateError state_error(const Points& x, const StepContext& context, const Points& d, double factor);

}  // namespace sinew
