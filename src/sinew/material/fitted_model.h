// Material models as functions of the unknowns of a fit (fit.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/material/fit.h"

namespace sinew {

// Unknowns x have a size of 1: stiffnesses are in units of that of the measurements.
class FittedModel {
 public:
  virtual ~FittedModel() = default;

  // stiffness: that of the measurements [Pa]
  virtual VecX start(double stiffness) const = 0;
  // Writes model, parameters or curves. Throws InputError where the model does not allow them.
  virtual void make(const VecX& x, double stiffness, FitResult& out) const = 0;
  // Residuals beside those of the measurements.
  virtual VecX prior(const VecX&) const { return {}; }
};

// Returns the Poisson's ratio that a fit uses. Throws InputError if it is out of range, or given for a model that has
// its own.
double fitted_poisson(const std::string& model, const FitOptions& options);

// Throws InputError for models that cannot be fitted and for options that the model does not have. The measurements
// must outlive the result.
std::unique_ptr<FittedModel> fitted_model(const std::string& name, const std::vector<Measurement>& measurements,
                                          const FitOptions& options);

}  // namespace sinew
