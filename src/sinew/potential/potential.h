// The function E(q) that a step minimises, as the step solver sees it: values, gradients, admissible steps, prescribed
// motion and friction. In full space q holds the positions of all vertices (incremental_potential.h).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/potential/contact_model.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/step_norms.h"

namespace sinew {

// The values of the terms at a position, summed by kind and weighted as in E.
struct PotentialValue {
  std::array<double, energy_kinds> kinds{};

  double& operator[](EnergyKind kind) { return kinds[static_cast<int>(kind)]; }
  double operator[](EnergyKind kind) const { return kinds[static_cast<int>(kind)]; }
  double total() const;
  // Sum of magnitudes: the scale of rounding errors in total().
  double magnitude() const;
};

// The reason why a step is not full.
enum class StepLimit { none, contact, inversion, stretch };

// Distances of prescribed coordinates and planes from their targets at the end of the step.
struct DisplacementToTarget {
  double remaining = 0;       // largest remaining distance [m]
  bool of_obstacles = false;  // whether obstacles have to move; whether planes have to
  bool of_planes = false;
};

// Returns the planes' states a share alpha of the way from `from` to `to`.
std::vector<PlaneState> interpolate_all(const std::vector<PlaneState>& from, const std::vector<PlaneState>& to,
                                        double alpha);

// Whether planes have to move to their targets. Planes that only have to rotate about their normals are rotated at
// once, because that affects only friction.
bool planes_have_to_move(std::vector<PlaneState>& planes, const std::vector<PlaneState>& targets);

// q is 3 x m: first columns() columns of coordinates, perhaps followed by vertices that follow them, then the vertices
// of obstacles, which are prescribed. Directions d are 3 x m, gradients g 3 x columns(). E refers to the contacts found
// last and the friction lagged last.
class Potential {
 public:
  virtual ~Potential() = default;

  virtual const System& system() const = 0;
  virtual Index columns() const = 0;
  virtual double step() const = 0;                   // h [s]; 1 in statics
  virtual bool has_inertia() const = 0;              // false in statics
  virtual double extent(const Points& q) const = 0;  // largest absolute coordinate of a position [m], for its rounding

  // ---- contact
  virtual ContactModel& contact() = 0;
  const ContactModel& contact() const { return const_cast<Potential*>(this)->contact(); }
  // Finds the contacts at q with the planes' states. value() and derivatives refer to these contacts until the next
  // call.
  virtual void set_contacts(const Points& q, const std::vector<PlaneState>& planes) = 0;
  // Moves the contacts to a trial point of a line search (ContactModel::follow).
  virtual void follow_contacts(const Points& q, const std::vector<PlaneState>& planes) = 0;

  // ---- E and its gradient; E is +infinity outside the domain
  virtual PotentialValue value(const Points& q) const = 0;
  // Updates E, the value at q, if the direction found at q has changed the function by new multipliers.
  virtual void renew(const Points& /*q*/, PotentialValue& /*E*/) const {}
  // Bounds the rounding error of value(q) = E, in units of E.
  virtual double value_rounding(const Points& q, const PotentialValue& E) const = 0;
  virtual void gradient(const Points& q, Points& g) const = 0;
  virtual double slope(const Points& g, const Points& d) const = 0;  // g . d

  // ---- lengths, as speeds [m/s]
  virtual StepNorms norms(const Points& d) const = 0;   // norms of a direction
  virtual StepNorms motion(const Points& q) const = 0;  // norms of the motion from the start of the step to q

  // ---- steps
  // max_step() returns the largest step in (0, 1] along d without intersection, inversion or edges beyond their limits,
  // while planes move to `planes_step`. step_limit() returns what limited that step.
  virtual double max_step(const Points& q, const Points& d, const std::vector<PlaneState>& planes_step) = 0;
  virtual StepLimit step_limit() const = 0;
  // Call when a line search along d begins at q, where E has the given slope.
  virtual void begin_search(const Points& q, const Points& d, double slope) = 0;
  // Sets `trial` to the point that alpha d leads to from q, while planes move to `planes_trial`. Returns false if the
  // path is not free of contact: max_step() has tested only straight paths.
  virtual bool retract(const Points& q, const Points& d, double alpha, const std::vector<PlaneState>& planes_trial,
                       Points& trial) = 0;
  // Sets d to the straight path between two q, prescribed coordinates included.
  virtual void direction_between(const Points& from, const Points& to, Points& d) const;
  // go() sets `to` to the point that d leads to from q, without a search. distance() returns the largest distance of a
  // vertex between two q [m].
  virtual void go(const Points& q, const Points& d, Points& to);
  virtual double distance(const Points& from, const Points& to) const;
  // Call if no step decreases E. Changes the parts of q that E does not determine, and returns whether it did: another
  // direction may then decrease E.
  virtual bool start_anew(Points& /*q*/) { return false; }
  // Call when the step alpha d was taken from q (ContactModel::took).
  virtual void took(const Points& q, const Points& d, double alpha) = 0;

  // ---- prescribed motion
  // Sets d to the displacement of prescribed coordinates to their targets, zero elsewhere. Planes that only have to
  // rotate about their normals are rotated at once, because that affects only friction. plane_targets(): the states of
  // planes at the end of the step.
  virtual DisplacementToTarget displacement_to_target(const Points& q, std::vector<PlaneState>& planes,
                                                      Points& d) const = 0;
  virtual const std::vector<PlaneState>& plane_targets() const = 0;
  // Sets `drift` to the first-order change of the gradient by the motion d of obstacles and planes, with the set of
  // contacts unchanged.
  virtual void drift(const Points& q, const std::vector<PlaneState>& planes, const Points& d, Points& drift) = 0;
  // Makes a direction that was found inexactly conserve momentum, where nothing holds the bodies (free_islands.h).
  virtual void translate_free(const Points& /*g*/, Points& /*d*/) {}
  // Moves the followers of the coordinates along, in positions or in a direction.
  virtual void complete(Points& /*d*/) const {}
  // Puts prescribed coordinates exactly on their targets.
  virtual void place_prescribed(Points& q) const = 0;

  // ---- friction
  // Lags friction (normal forces, tangents) and pressures at q. Call set_contacts() at q before. share < 1: damped, as
  // ContactModel::lag().
  virtual void update_lagged(const Points& q, double share) = 0;
  void update_lagged(const Points& q) { update_lagged(q, 1); }
  // Lags friction ahead of convergence, as the functions of ContactModel. Updates E, the value at q.
  virtual void predict_forces(const Points& q, const Points& d, const std::vector<PlaneState>& planes_end) = 0;
  virtual bool lag_friction_ahead(const Points& q, double tolerance, PotentialValue& E) = 0;
  // Returns the deviation of lagged friction from Coulomb's law at q, 0 to 1 (ContactModel::friction_error).
  virtual double friction_error(const Points& q) = 0;
  // Returns the relative change of other lagged forces if they were updated at q.
  virtual double lagging_change(const Points& /*q*/) const { return 0; }

  // ---- tests of a solution q. flags: DescentDirection::balanced()
  // Whether the least stiffness of contacts within `radius` [m] is below half of that at q (ContactModel::softens).
  virtual bool contacts_soften(const Points& q, double radius) const = 0;
  // Whether the normal forces on each body balance at its touching vertices. The residual must be below `share` of the
  // forces, or change velocities by less than `tolerance` [m/s].
  virtual bool contacts_balance(const Points& q, const Points& g, std::span<const char> flags, double share,
                                double tolerance) const = 0;
  // residual(): the largest unbalanced force [N] in statics. forces_balance(): whether this force and the sums over
  // bodies are within a share of the largest forces.
  virtual double residual(const Points& g, std::span<const char> flags) const = 0;
  virtual bool forces_balance(const Points& q, const Points& g, std::span<const char> flags, double share) const = 0;

  double collision_seconds = 0, assembly_seconds = 0;  // summed up [s]; the caller resets them
};

}  // namespace sinew
