// Relaxation of a viscous material: a Prony series on its stress (Simo 1987; theory, section 1). After a sudden strain
// the stress is that of the material without viscosity, times 1 + sum of modulus exp(-t / time) over the branches.
#pragma once

#include <cmath>
#include <vector>

namespace sinew {

struct ViscousBranch {
  double time = 0;     // of relaxation [s], > 0
  double modulus = 0;  // over that of the material without viscosity, > 0

  // The share of the branch's stress that remains after a step h, exp(-h / time).
  double decay(double h) const { return std::exp(-h / time); }
  // The mean of exp(-t / time) over a step h: what the branch keeps of a stress that grows evenly in the step.
  double mean(double h) const { return h > 0 ? -std::expm1(-h / time) * time / h : 1; }
};

using Viscosity = std::vector<ViscousBranch>;

}  // namespace sinew
