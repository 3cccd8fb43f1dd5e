// Computes one stiffness of a material for a range of stretches.
#pragma once

#include "sinew/material/model.h"

namespace sinew {

// Slope k [Pa] of the line that best fits the stress dW/ds1 at the stretches (s, 1, 1) over [low, high] (Liu, Bouaziz,
// Kavan 2017, section 4.1):
//
//   k = 12 / (high - low)^3 int (s - mean) dW/ds1 ds > 0.
//
// It is 2 mu for `arap` and 2 mu + lambda for `corotated`. kernel: kernel_parameter_count() values.
double effective_stiffness(const MaterialModel& model, const double* kernel, double low = 0.5, double high = 1.5);

}  // namespace sinew
