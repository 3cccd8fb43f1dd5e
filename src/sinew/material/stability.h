// Tests Drucker's stability: whether stress rises with every small additional strain.
#pragma once

#include <span>
#include <vector>

#include "sinew/material/measurement.h"

namespace sinew {

// The smallest stiffness [Pa] against an additional strain. With logarithmic strains e and Kirchhoff stresses
// t_i = s_i w_i it is the smallest eigenvalue of
//
//   D_ij = d t_i / d e_j = s_i w_i delta_ij + s_i s_j w_ij.
//
// For foams (MaterialModel::is_foam) over all e, else over strains that keep the volume, sum e = 0, at principal
// stretches whose product is 1. If it is positive, the material is stable: dt . de > 0 for all such de. At rest it is
// 2 mu, or 3 times the bulk modulus of a foam if that is smaller.
// Infinite beyond the limits of the stretches, where W is; NaN if a stretch is.
double drucker_stiffness(const MaterialModel& model, std::span<const double> kernel, const PrincipalStretches& s);

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
