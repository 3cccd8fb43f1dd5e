// Parameters of a model from measured curves, by least squares.
#pragma once

#include <string>
#include <vector>

#include "sinew/material/measurement.h"
#include "sinew/material/stability.h"

namespace sinew {

struct FitOptions {
  // Curves of incompressible solids say nothing of volume: the model's resistance to it follows from Poisson's ratio.
  double poisson = 0.495;
  std::vector<double> knots;    // stretches of the points of curve a of `spline`; empty: chosen over those measured
  bool allow_unstable = false;  // stress may fall with strain within the range of the measurements
};

struct FitResult {
  SharedModel model;
  UserParameters parameters;  // of models with parameters
  UserCurves curves;          // of models with curves
  std::vector<double> rms;    // of each measurement: root of the mean square of the residual [Pa]
  int iterations = 0;
  bool converged = false;
  std::vector<StableRange> stable;  // where stress rises with strain, by experiment
};

// The ranges over which fits are stable: each experiment up to 1.2 times the largest measured strain |e|, the root of
// the sum of squared logarithmic strains.
std::vector<StableRange> required_ranges(const std::vector<Measurement>& measurements);

// The names of the models that can be fitted.
std::vector<std::string> fitted_models();

// Minimises the sum over the measurements of the mean square residual over the square of the largest stress:
// Levenberg-Marquardt through the model's own derivatives. For `spline` the curve a is a neo-Hookean one times a factor
// at each knot; c is linear. A small weight on the changes of the factor chooses among the curves, because one
// experiment does not determine a. The result is stable in Drucker's sense over required_ranges(). With allow_unstable
// a warning names the strains where it is not. Throws InputError for other models, for measurements that make no sense,
// and if no stable material is found.
FitResult fit_material(const std::string& model, const std::vector<Measurement>& measurements,
                       const FitOptions& options = {});

}  // namespace sinew
