// A term of the potential as a function of the coordinates y of a subspace. ReducedModel lists and sums them.
#pragma once

#include "sinew/kinematics/coordinate_hessian.h"
#include "sinew/model/change.h"
#include "sinew/potential/coordinate_step.h"
#include "sinew/potential/energy.h"

namespace sinew {

class CoordinateEnergy {
 public:
  virtual ~CoordinateEnergy() = default;

  // Call when the system has changed.
  virtual void adapt(Change) {}
  // Call when a step starts at y = start. `step` must outlive the step.
  virtual void begin_step(const CoordinateStep& step, const MatX& start) = 0;
  // Lagging, see Energy: lag() keeps parts of the term at their values at y.
  virtual void lag(const MatX& /*y*/) {}
  virtual LaggingChange lagging_change(const MatX& /*y*/) { return {}; }

  // The value of the term in E, including the factor a h^2.
  virtual double value(const MatX& y) = 0;
  // G += gradient by y, unspecified where y is prescribed.
  virtual void add_gradient(const MatX& y, MatX& G) = 0;
  // g += gradient by the unknowns at y. For a term that depends on the unknowns only; the term's add_gradient() adds
  // nothing.
  virtual void add_unknown_gradient(const MatX& /*y*/, MatX& /*g*/) {}
  // H += J^T (Hessian by y) J. Call H.begin() at y before. The kinematics add the curvature of y itself.
  virtual void add_hessian(const MatX& y, Projection projection, CoordinateHessian& H) = 0;

  // Energies for reports [J]: kinetic energy of a velocity v, and gravity at a position y at the end of the last step.
  virtual double kinetic(const MatX& /*v*/) const { return 0; }
  virtual double gravity(const MatX& /*y*/) const { return 0; }
  virtual double springs(const MatX& /*y*/) const { return 0; }
  virtual double elastic(const MatX& /*y*/) const { return 0; }
};

}  // namespace sinew
