// Fits parameters of a model to measured curves by least squares.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sinew/material/measurement.h"
#include "sinew/material/stability.h"

namespace sinew {

struct FitOptions {
  static constexpr int default_terms = 3;

  static constexpr double default_poisson = 0.495, default_foam_poisson = 0;

  // Curves of incompressible solids contain no information about volume. The resistance to volume changes follows from
  // this Poisson's ratio. `hyperfoam` has it in all terms, and `blatz_ko` has 1/4. Default: default_poisson, or
  // default_foam_poisson for `hyperfoam`.
  std::optional<double> poisson;
  // Stretches of the control points of curve a of `spline`; empty: chosen within the measured range.
  std::vector<double> knots;
  bool allow_unstable = false;  // accept a fit whose stress falls with strain somewhere in the measured range
  std::optional<int> terms;     // of `ogden` and `hyperfoam`; default: default_terms
};

struct FitResult {
  SharedModel model;
  UserParameters parameters;  // for models with parameters
  UserCurves curves;          // for models with curves
  double poisson = 0;         // Poisson's ratio used
  std::vector<double> rms;    // by measurement: root mean square of the residual [Pa]
  // Standard deviations of parameters and lists, in their units. Values that follow from Poisson's ratio alone have
  // none. Infinite if there are no more points than unknowns. Empty for `spline`: its prior determines the points too.
  std::map<std::string, std::vector<double>> deviations;
  int iterations = 0;
  bool converged = false;
  std::vector<StableRange> stable;  // by experiment: where stress rises with strain
};

// Returns the kernel parameters of the fitted material.
std::vector<double> kernel_of(const FitResult& fit);

// Returns the ranges over which fits must be stable: each experiment up to 1.2 times the largest measured strain |e|,
// the root of the sum of squared logarithmic strains. Free faces follow from Poisson's ratio (free_stretch).
std::vector<StableRange> required_ranges(const std::vector<Measurement>& measurements, double poisson = incompressible);

// Returns the names of the models that can be fitted.
std::vector<std::string> fitted_models();

// Minimises the sum over the measurements of (mean square residual) / (largest stress)^2, by Levenberg-Marquardt with
// the model's own derivatives. For `spline`, curve a is that of a neo-Hookean solid times a factor at each knot, and c
// is linear. One experiment does not determine a, so a small weight on the changes of the factor selects one curve.
//
// Foams (MaterialModel::is_foam) have free faces without stress; others are incompressible.
//
// The result is stable in Drucker's sense over required_ranges(). With allow_unstable, a warning names the strains at
// which it is not. Throws InputError for other models, for invalid measurements, and if no stable material is found.
FitResult fit_material(const std::string& model, const std::vector<Measurement>& measurements,
                       const FitOptions& options = {});

}  // namespace sinew
