// Lengths of steps.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

// Largest and mean length of a displacement d (3 x n or more [m]) over its first n vertices, divided by h [s].
struct StepNorms {
  double max = 0, mean = 0;  // [m/s]

  double of(bool mean_norm) const { return mean_norm ? mean : max; }
};
StepNorms step_norms(const Points& d, Index n, double h);

}  // namespace sinew
