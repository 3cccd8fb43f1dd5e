// Lengths of steps.
#pragma once

#include "sinew/core/types.h"

namespace sinew {

// Lengths of a displacement d (3 x n or more [m]) of the first n vertices, over h [s]: of the fastest and on average.
struct StepNorms {
  double max = 0, mean = 0;  // [m/s]

  double of(bool mean_norm) const { return mean_norm ? mean : max; }
};
StepNorms step_norms(const Points& d, Index n, double h);

}  // namespace sinew
