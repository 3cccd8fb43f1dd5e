// Tests Drucker's stability of incompressible solids: whether stress rises with every small additional strain.
#pragma once

#include <span>
#include <vector>

#include "sinew/material/measurement.h"

namespace sinew {

// The smallest stiffness [Pa] against an additional strain that keeps the volume, at principal stretches whose product
// is 1. With logarithmic strains e and Kirchhoff stresses t_i = s_i w_i - p it is the smallest eigenvalue, on sum e =
// 0, of
//
//   D_ij = d(s_i w_i) / d e_j = s_i w_i delta_ij + s_i s_j w_ij.
//
// If it is positive, the material is stable: dt . de > 0 for all such de. At rest it is 2 mu.
// Infinite beyond the limits of the stretches, where W is.
double drucker_stiffness(const MaterialModel& model, std::span<const double> kernel, const double stretches[3]);

// The smallest stiffness [Pa] at stretch l of an experiment.
double drucker_stiffness(const MaterialModel& model, std::span<const double> kernel, Experiment experiment, double l);

// The range of stretches around rest in which the material is stable, within the tested range.
struct StableRange {
  Experiment experiment = Experiment::uniaxial;
  double low = 1, high = 1;
};
inline constexpr double most_stretch = 20;  // tested range: from 1 / most_stretch to most_stretch

// Returns the ranges for uniaxial, biaxial and shear.
std::vector<StableRange> stable_ranges(const MaterialModel& model, std::span<const double> kernel);

}  // namespace sinew
