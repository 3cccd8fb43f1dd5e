// Drucker's stability of incompressible solids: whether stress rises with every small further strain.
#pragma once

#include <span>
#include <vector>

#include "sinew/material/measurement.h"

namespace sinew {

// The least stiffness [Pa] against a further strain that keeps the volume, at principal stretches of product 1. With
// logarithmic strains e and Kirchhoff stresses t_i = s_i w_i - p it is the smallest eigenvalue, on sum e = 0, of
//
//   D_ij = d(s_i w_i) / d e_j = s_i w_i delta_ij + s_i s_j w_ij.
//
// The material is stable, dt . de > 0 for all such de, if it is positive; at rest it is 2 mu.
double drucker_stiffness(const MaterialModel& model, std::span<const double> kernel, const double stretches[3]);

// The least stiffness [Pa] at stretch l of an experiment.
double drucker_stiffness(const MaterialModel& model, std::span<const double> kernel, Experiment experiment, double l);

// The stretches around rest at which the material is stable, as far as they are looked at.
struct StableRange {
  Experiment experiment = Experiment::uniaxial;
  double low = 1, high = 1;
};
inline constexpr double most_stretch = 20;  // looked at, and its inverse

// For uniaxial, biaxial and shear.
std::vector<StableRange> stable_ranges(const MaterialModel& model, std::span<const double> kernel);

}  // namespace sinew
