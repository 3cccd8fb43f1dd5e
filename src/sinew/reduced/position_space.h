// The positions of a condensed simulation (dynamics/reduced_potential.h): a vector y that the elastic energy sees only
// through deformation gradients at points, and everything of the incremental potential that is no elastic energy.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/change.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

struct ReducedBasis;
class ReducedContact;

// What a step minimises beside the elastic energy, E_q(y) = 1/2 |y - predictor|_M^2 + scale (-f . y + springs + ...) +
// scale / (2 h^) |y - reference|^2 in the metric of damping (theory, section 2).
struct SpaceStep {
  bool inertia = true;
  double scale = 1, reference_step = 1;  // [s^2], h^ [s]
  double contact_factor = 1;             // weight of contact and friction beside `scale`
  double step = 1;                       // h [s]
  double time = 0;                       // at its end [s]
  double load_factor = 1;
  MatX predictor, reference;  // of the size of y; without external forces
  MatX own_slip_reference;    // where slip counts from other positions than `reference`; else empty
  double own_slip_step = 0;   // [s]; with these

  const MatX& slip_reference() const { return own_slip_reference.size() > 0 ? own_slip_reference : reference; }
  double slip_step() const { return own_slip_reference.size() > 0 ? own_slip_step : reference_step; }
};

struct Displacement {
  double largest = 0, mean = 0;  // [m]
};

class PositionSpace {
 public:
  virtual ~PositionSpace() = default;

  // The system has changed.
  virtual void adapt(Change change) = 0;

  virtual Index rows() const = 0;              // y: rows() x columns()
  virtual Index columns() const { return 3; }  // one an axis, or one for all
  // Gradients and directions: of the size of y, or of as many unknowns where positions are a curved set of y.
  virtual Index unknown_rows() const { return rows(); }
  virtual Index unknown_columns() const { return columns(); }
  virtual bool is_curved() const { return false; }
  // The position that t d leads to from y.
  virtual void move(const MatX& y, const MatX& d, double t, MatX& moved) { moved = y + t * d; }
  // The basis of a subspace; null in full space.
  virtual const ReducedBasis* basis() const { return nullptr; }

  // The part of y that is prescribed at a time.
  virtual void place(double time, MatX& y) const = 0;

  // start: y at its start. `step` must outlive the step.
  virtual void begin_step(const SpaceStep& step, const MatX& start) = 0;
  // Parts of loads that are held at an earlier position (Energy::lag).
  virtual void lag_loads(const MatX& y) = 0;
  virtual double lagging_change(const MatX& y) const = 0;  // relative, were they lagged anew
  // E_q without contact; its gradient with contact as it was found last, unspecified where y is prescribed.
  virtual double value(const MatX& y) = 0;
  virtual void gradient(const MatX& y, MatX& g) = 0;

  // At the slots of ElasticPoints and in its layout: F = I + dU y, or dU d of a direction; g += dU^T P.
  virtual void deformation_gradients(const MatX& y, bool direction, std::span<double> F) = 0;
  virtual void add_forces(std::span<const double> P, MatX& g) = 0;

  // Factors the Hessian of E_q at the last gradient() plus dU^T K dU; false where it is not positive definite.
  virtual bool factor(std::span<const double> K) = 0;
  // Whether forces are the gradient of an energy: not where each coordinate has points' weights of its own.
  virtual bool has_energy() const { return true; }
  // Factors the derivative of the forces itself, which is not symmetric then.
  virtual bool factor_exact(std::span<const double> K) { return factor(K); }
  virtual void solve(const MatX& g, MatX& d) = 0;
  // The diagonal of the last symmetric matrix, by which directions are compared; of a basis of modes.
  virtual void scales(MatX&) const {}
  // Contact of samples of the surfaces; null: nothing may touch.
  virtual ReducedContact* contact() { return nullptr; }

  virtual Displacement displacement(const MatX& d) = 0;  // of a direction
  // From one y to another.
  virtual Displacement distance(const MatX& from, const MatX& to) { return displacement(to - from); }
  // The farthest that y is from rest [m].
  virtual double farthest(const MatX& y) { return displacement(y).largest; }
  // Elastic energy that the space has beside the points' [J].
  virtual double elastic(const MatX&) const { return 0; }
  // 1/2 v^T M v, -sum m g . x and the springs' energy at the time of the last begin_step(), before it of the space [J].
  virtual double kinetic(const MatX& v) const = 0;
  virtual double gravity(const MatX& y) const = 0;
  virtual double springs(const MatX& y) const = 0;

  // Full space: u = U y, 3 x dynamic_count, and the free part of y closest to u in mass; of velocities and
  // accelerations v, that of what y may have at a position.
  virtual void lift(const MatX& y, Points& u) const = 0;
  // Of velocities, accelerations and differences v of such at a position.
  virtual void lift_motion(const MatX&, const MatX& v, Points& u) const { lift(v, u); }
  virtual void project(const Points& u, MatX& y) const = 0;
  virtual void project_velocity(const MatX&, const Points& v, MatX& y) const { project(v, y); }
  // Takes of a velocity v and an acceleration a what y cannot have at a position: nothing where positions are not a
  // curved set.
  virtual void keep_on(const MatX&, MatX&, MatX&) {}

  // Of a basis of modes: coordinates of substructures, and y where they are these; empty otherwise.
  virtual VecX coordinates(const MatX&) const { return {}; }
  virtual void set_coordinates(const VecX&, MatX&) const {}

  // Of a subspace: U^T g of the unknowns at y for g of 3 x dynamic_count, and r^T (U^T M U)^{-1} r of such.
  virtual MatX restrict_to(const MatX&, const Points&) const { return {}; }
  virtual double inverse_mass_square(const MatX&, const MatX&) const { return 0; }
};

}  // namespace sinew
