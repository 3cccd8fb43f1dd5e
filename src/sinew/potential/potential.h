// The function E(q) that a step minimises, as the step solver sees it: values, gradients, admissible steps, prescribed
// motion and friction. In full space q are the positions of all vertices (incremental_potential.h).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/potential/contact_model.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/step_norms.h"

namespace sinew {

// The values of the terms at some positions, summed by kind; each with its weight in E.
struct PotentialValue {
  std::array<double, energy_kinds> kinds{};

  double& operator[](EnergyKind kind) { return kinds[static_cast<int>(kind)]; }
  double operator[](EnergyKind kind) const { return kinds[static_cast<int>(kind)]; }
  double total() const;
  // Sum of magnitudes: the scale of rounding errors in total().
  double magnitude() const;
};

// The reason why a step is not full.
enum class StepLimit { none, contact, inversion };

// Distances of prescribed coordinates and planes from their targets at the end of the step.
struct DisplacementToTarget {
  double remaining = 0;       // the largest part of it [m]
  bool of_obstacles = false;  // whether obstacles have to move, or planes
  bool of_planes = false;
};

// Planes part of the way from one state to another.
std::vector<PlaneState> interpolate_all(const std::vector<PlaneState>& from, const std::vector<PlaneState>& to,
                                        double alpha);

// Whether planes have to move to their targets; planes that have only to turn about their normals are turned at once,
// which affects only friction.
bool planes_have_to_move(std::vector<PlaneState>& planes, const std::vector<PlaneState>& targets);

// q is 3 x m: first `columns()` columns of coordinates, perhaps vertices that follow them, then the vertices of
// obstacles, which are prescribed.
// Directions d are 3 x m, gradients g 3 x columns(). E refers to contacts and friction as they were found and lagged
// last.
class Potential {
 public:
  virtual ~Potential() = default;

  virtual const System& system() const = 0;
  virtual Index columns() const = 0;
  virtual double step() const = 0;                   // h [s]; 1 in statics
  virtual bool has_inertia() const = 0;              // false in statics
  virtual double extent(const Points& q) const = 0;  // largest coordinate of a place [m], for its rounding

  // ---- contact
  virtual ContactModel& contact() = 0;
  const ContactModel& contact() const { return const_cast<Potential*>(this)->contact(); }
  // The contacts at q and the planes' states that go with it; value() and derivatives refer to it until the next call.
  virtual void set_contacts(const Points& q, const std::vector<PlaneState>& planes) = 0;
  // Brings the contacts to a trial point of a line search (ContactModel::follow).
  virtual void follow_contacts(const Points& q, const std::vector<PlaneState>& planes) = 0;

  // ---- E and its gradient; E is +infinity outside the domain
  virtual PotentialValue value(const Points& q) const = 0;
  // Updates E, the value at q, if the direction found there changes the function by new multipliers.
  virtual void renew(const Points& /*q*/, PotentialValue& /*E*/) const {}
  // A bound of the rounding error of value(q) = E, in units of E.
  virtual double value_rounding(const Points& q, const PotentialValue& E) const = 0;
  virtual void gradient(const Points& q, Points& g) const = 0;
  virtual double slope(const Points& g, const Points& d) const = 0;  // g . d

  // ---- lengths, as speeds [m/s]
  virtual StepNorms norms(const Points& d) const = 0;   // of a direction
  virtual StepNorms motion(const Points& q) const = 0;  // from the start of the step to q

  // ---- steps
  // The largest step in (0, 1] along d without intersection or inversion, planes moving to `planes_step`; and what
  // limited it.
  virtual double max_step(const Points& q, const Points& d, const std::vector<PlaneState>& planes_step) = 0;
  virtual StepLimit step_limit() const = 0;
  // A line search along d begins at q, where E has the given slope.
  virtual void begin_search(const Points& q, const Points& d, double slope) = 0;
  // Sets `trial` to the place of alpha d from q, planes moving to `planes_trial`. Returns false if the path is not
  // free: max_step() has only looked at straight paths.
  virtual bool retract(const Points& q, const Points& d, double alpha, const std::vector<PlaneState>& planes_trial,
                       Points& trial) = 0;
  // d: the straight path from one q to another, prescribed coordinates included.
  virtual void direction_between(const Points& from, const Points& to, Points& d) const;
  // go() gives the place of d from q without a search; distance() the largest distance of two q [m].
  virtual void go(const Points& q, const Points& d, Points& to);
  virtual double distance(const Points& from, const Points& to) const;
  // Call if no step decreases E. Changes q where E does not determine it. Returns whether it did: another direction may
  // then help.
  virtual bool start_anew(Points& /*q*/) { return false; }
  // The step alpha d was taken from q (ContactModel::took).
  virtual void took(const Points& q, const Points& d, double alpha) = 0;

  // ---- what is prescribed d: the displacement of what is prescribed to its targets, zero elsewhere. Planes that have
  // only to turn about their normals are turned at once, which affects only friction. `aim`: the targets of planes.
  virtual DisplacementToTarget displacement_to_target(const Points& q, std::vector<PlaneState>& planes,
                                                      Points& d) const = 0;
  virtual const std::vector<PlaneState>& plane_targets() const = 0;
  // The change of the gradient that the motion d of obstacles and planes causes to first order, with the contacts held.
  virtual void drift(const Points& q, const std::vector<PlaneState>& planes, const Points& d, Points& drift) = 0;
  // Moves followers of the coordinates along, in positions or in a direction.
  virtual void complete(Points& /*d*/) const {}
  // Puts prescribed coordinates exactly on their targets.
  virtual void place_prescribed(Points& q) const = 0;

  // ---- friction
  // Lagged parts (normal forces, tangents) at q, whose contacts must be set.
  virtual void update_lagged(const Points& q) = 0;
  // ContactModel: friction ahead of convergence. E, the value at q, follows.
  virtual void predict_forces(const Points& q, const Points& d, const std::vector<PlaneState>& planes_end) = 0;
  virtual bool lag_friction_ahead(const Points& q, double tolerance, PotentialValue& E) = 0;
  // How far lagged friction is from Coulomb's law at q (ContactModel::friction_error).
  virtual double friction_error(const Points& q) = 0;
  // How much other lagged forces would change if they were updated at q, relative to their size.
  virtual double lagging_change(const Points& /*q*/) const { return 0; }

  // ---- whether q is a solution; flags: DescentDirection::balanced()
  // Whether the least stiffness that contacts have within `radius` [m] is under half of that at q
  // (ContactModel::softens).
  virtual bool contacts_soften(const Points& q, double radius) const = 0;
  // Whether the normal forces on each body are balanced where its contacts are, to a relative residual, or to one that
  // changes velocities by less than the tolerance [m/s].
  virtual bool contacts_balance(const Points& q, const Points& g, std::span<const char> flags, double share,
                                double tolerance) const = 0;
  // residual(): the largest unbalanced force [N] in statics. forces_balance(): whether it and the sums over bodies are
  // within a share of the largest forces.
  virtual double residual(const Points& g, std::span<const char> flags) const = 0;
  virtual bool forces_balance(const Points& q, const Points& g, std::span<const char> flags, double share) const = 0;

  double collision_seconds = 0, assembly_seconds = 0;  // added up; the caller resets them
};

}  // namespace sinew
