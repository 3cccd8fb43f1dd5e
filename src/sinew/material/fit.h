// Fits parameters of a model to measured curves by least squares.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sinew/material/measurement.h"
#include "sinew/material/stability.h"

namespace sinew {

struct FitOptions {
  static constexpr int default_terms = 3;

  // Curves of incompressible solids contain no information about volume. The resistance to volume changes follows from
  // this Poisson's ratio.
  double poisson = 0.495;
  // Stretches of the control points of curve a of `spline`; empty: chosen within the measured range.
  std::vector<double> knots;
  bool allow_unstable = false;  // accept a fit whose stress falls with strain somewhere in the measured range
  std::optional<int> terms;     // of `ogden`; default: default_terms
};

struct FitResult {
  SharedModel model;
  UserParameters parameters;  // for models with parameters
  UserCurves curves;          // for models with curves
  std::vector<double> rms;    // by measurement: root mean square of the residual [Pa]
  int iterations = 0;
  bool converged = false;
  std::vector<StableRange> stable;  // by experiment: where stress rises with strain
};

// Returns the ranges over which fits must be stable: each experiment up to 1.2 times the largest measured strain |e|,
// the root of the sum of squared logarithmic strains.
std::vector<StableRange> required_ranges(const std::vector<Measurement>& measurements);

// Returns the names of the models that can be fitted.
std::vector<std::string> fitted_models();

// Minimises the sum over the measurements of (mean square residual) / (largest stress)^2, by Levenberg-Marquardt with
// the model's own derivatives. For `spline`, curve a is that of a neo-Hookean solid times a factor at each knot, and c
// is linear. One experiment does not determine a, so a small weight on the changes of the factor selects one curve.
//
// The result is stable in Drucker's sense over required_ranges(). With allow_unstable, a warning names the strains at
// which it is not. Throws InputError for other models, for invalid measurements, and if no stable material is found.
FitResult fit_material(const std::string& model, const std::vector<Measurement>& measurements,
                       const FitOptions& options = {});

}  // namespace sinew
