// Parameters of a model from measured curves, by least squares.
#pragma once

#include <string>
#include <vector>

#include "sinew/material/measurement.h"

namespace sinew {

struct FitOptions {
  // Curves of incompressible solids say nothing of volume: the model's resistance to it follows from Poisson's ratio.
  double poisson = 0.495;
  std::vector<double> knots;  // stretches of the points of curve a of `spline`; empty: chosen over those measured
};

struct FitResult {
  SharedModel model;
  UserParameters parameters;  // of models with parameters
  UserCurves curves;          // of models with curves
  std::vector<double> rms;    // of each measurement: root of the mean square of the residual [Pa]
  int iterations = 0;
  bool converged = false;
};

// The names of the models that can be fitted.
std::vector<std::string> fitted_models();

// Minimises the sum over the measurements of the mean square residual over the square of the largest stress:
// Levenberg-Marquardt through the model's own derivatives. For `spline` the curve a is fitted, with a'(1) = 0 and a
// small weight on its curvature, since one experiment does not determine it; c is linear. Throws InputError for other
// models, and where the measurements make no sense.
FitResult fit_material(const std::string& model, const std::vector<Measurement>& measurements,
                       const FitOptions& options = {});

}  // namespace sinew
