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

  // The system has changed.
  virtual void adapt(Change) {}
  // A step starts at `start`; `step` must outlive it.
  virtual void begin_step(const CoordinateStep& step, const MatX& start) = 0;
  // Lagging as in Energy: parts that stay at earlier positions.
  virtual void lag(const MatX& /*y*/) {}
  virtual LaggingChange lagging_change(const MatX& /*y*/) { return {}; }

  // As it enters E, with a h^2.
  virtual double value(const MatX& y) = 0;
  // G += gradient by y, unspecified where y is prescribed.
  virtual void add_gradient(const MatX& y, MatX& G) = 0;
  // g += gradient by the unknowns at y, for a term that is a function of these alone; its add_gradient() adds nothing.
  virtual void add_unknown_gradient(const MatX& /*y*/, MatX& /*g*/) {}
  // H += J^T (Hessian by y) J, where H has begun at y. The curvature of y itself is added by the kinematics.
  virtual void add_hessian(const MatX& y, Projection projection, CoordinateHessian& H) = 0;

  // Energies for reports [J]: kinetic of a velocity v, and gravity of a position y at the time of the last step.
  virtual double kinetic(const MatX& /*v*/) const { return 0; }
  virtual double gravity(const MatX& /*y*/) const { return 0; }
  virtual double springs(const MatX& /*y*/) const { return 0; }
  virtual double elastic(const MatX& /*y*/) const { return 0; }
};

}  // namespace sinew
