// The interface of contact between bodies, obstacles and planes: an energy over the contacts found at given positions,
// lagged friction, and a filter of steps.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "sinew/contact/stencil.h"
#include "sinew/model/system.h"
#include "sinew/potential/contact_force.h"
#include "sinew/potential/contact_row.h"
#include "sinew/potential/coulomb_error.h"
#include "sinew/potential/friction_energy.h"

namespace sinew {

class ContactModel {
 public:
  // The system must outlive this.
  explicit ContactModel(const System& system);
  virtual ~ContactModel() = default;

  // The energies of normal forces and of friction, which are terms of the potential.
  virtual Energy& normal() = 0;
  const Energy& normal() const { return const_cast<ContactModel*>(this)->normal(); }
  FrictionEnergy& friction() { return friction_; }
  const FrictionEnergy& friction() const { return friction_; }

  // Call when the system has changed.
  void adapt(Change change);

  // Finds the contacts at context.start, and lags friction there. `context` is kept by reference.
  void begin_step(const StepContext& context, double stiffness);

  // Finds the contacts at x (3 x n_all) with the planes' states. Energies refer to these contacts until the next call.
  void find(const Points& x, const std::vector<PlaneState>& planes);
  // Call at a trial point x of a line search that began where find() was last called. Finds the contacts at x, or only
  // moves the planes if held_in_search().
  void follow(const Points& x, const std::vector<PlaneState>& planes);

  // Returns the largest step in (0, 1] along d (3 x n_all) that may be taken, while planes move from `planes` to
  // `planes_step`.
  virtual double max_step(const Points& x, const Points& d, const std::vector<PlaneState>& planes,
                          const std::vector<PlaneState>& planes_step) = 0;

  // Whether max_step() keeps everything free of intersections.
  virtual bool filters() const { return true; }
  // Whether the set of contacts stays fixed during a line search; find() is then called only at the accepted point.
  virtual bool held_in_search() const { return false; }

  // Whether anything can touch in this scene.
  virtual bool may_touch() const = 0;
  virtual const std::vector<ContactStencil>& contacts() const = 0;
  const std::vector<PlaneState>& planes() const { return planes_; }
  virtual double min_distance() const = 0;  // smallest gap of the contacts [m]; infinity: no contact

  virtual double stiffness() const = 0;  // kappa [Pa]
  virtual void set_stiffness(double stiffness) = 0;
  // Whether barriers may begin at a distance other than the contact distance.
  virtual bool has_reach() const { return false; }
  // From the next find() on, the barrier of a pair begins at its distance at the start of the step, within the
  // contact distance and `factor` times that. 1: all begin at the contact distance.
  virtual void set_reach(double /*factor*/) {}
  virtual double reach() const { return 1; }
  virtual double total_force(const Points& x) const = 0;  // sum of all normal forces [N]

  // The forces at x of each contact found last, and of lagged friction.
  std::vector<ContactForce> forces(const Points& x) const;
  // The contacts with a force at x, with normal forces and friction in one row. Call find() or begin_step() before.
  std::vector<ContactRow> rows(const Points& x) const;

  // g (3 x body_vertex_count()) += scale * gradient of normal forces and of friction. `planes` may have moved since
  // find(); this affects only the normal forces.
  void add_gradient(const Points& x, const std::vector<PlaneState>& planes, double scale, Points& g);

  // Whether the Hessian of contacts and friction is not zero.
  bool has_hessian() const { return !contacts().empty() || has_friction(); }
  // H = scale * Hessian of contacts and friction in series with springs at their vertices, so that contacts are no
  // stiffer than these springs. stiffness: of the springs, body_vertex_count() entries in units of H. H has the pattern
  // of the current contacts.
  void softened_hessian(const Points& x, double scale, Projection projection, std::span<const double> stiffness,
                        SymBlockMatrix& H);
  void collect_pairs(std::vector<std::pair<Index, Index>>& pairs) const;
  // Calls visit(v) for the vertices of all stencils of contact and friction; a vertex may come several times.
  template <class Visit>
  void for_each_vertex(Visit&& visit) const {
    for (const ContactStencil& stencil : contacts())
      for (const Index v : stencil.v) visit(v);
    for (const FrictionStencil& stencil : friction_.stencils())
      for (const Index v : stencil.v) visit(v);
  }

  // radius > 0 [m]: Hessians take the least stiffness that contacts and friction have within this radius of x; 0: at x.
  void set_radius(double radius);
  bool softened() const { return radius_ > 0; }
  // Whether, for a stencil that matters beside inertia, the least stiffness within `radius` [m] is below half of that
  // at x. mass: by vertex [kg], empty without inertia. scale: a h^2 [s^2].
  bool softens(const Points& x, double radius, std::span<const double> mass, double scale) const;

  // Lags friction (normal forces, tangents) at x. Call find() at x before. share < 1: normal forces become the mean of
  // those lagged before and those at x, with this weight of the latter.
  void lag(const Points& x, double share = 1);
  // Lags friction ahead of convergence, with the linearised normal forces at the end of a direction d (3 x n_all),
  // while planes move to `planes_end`. Call predict_forces() before the line search along d, and lag_ahead() after the
  // search. lag_ahead() returns false and changes nothing if friction is within `tolerance` of the predicted friction.
  void predict_forces(const Points& x, const Points& d, const std::vector<PlaneState>& planes_end);
  bool lag_ahead(const Points& x, double tolerance);
  // Returns the deviation of friction from Coulomb's law with the normal forces at x, 0 to 1 (coulomb_error.h).
  double friction_error(const Points& x);
  bool has_friction() const { return friction_possible_ && !friction_.empty(); }
  // Call when the step alpha d (3 x n_all) was taken from x, where derivatives were evaluated. The predicted friction
  // forces become the dual variables w of the next Hessian (contact/friction.h).
  void took(const Points& x, const Points& d, double alpha);

 protected:
  // Sets which ties hold over the step, one flag for each. Surfaces touch across the other ties.
  virtual void set_glue(std::span<const char> /*held*/) {}
  // Finds the contacts at x and planes_.
  virtual void search(const Points& x) = 0;
  // predicted: replaces the normal forces at x of the contacts that it contains; may be null.
  virtual void lag_friction(const Points& x, const PredictedForces* predicted, FrictionEnergy& friction) const = 0;
  virtual void predict(const Points& /*x*/, const Points& /*d*/, const std::vector<PlaneState>& /*planes_end*/,
                       PredictedForces& /*predicted*/) const {}
  virtual void append_forces(const Points& x, std::vector<ContactForce>& forces) const = 0;  // normal ones
  virtual void append_rows(const Points& x, std::vector<ContactRow>& rows) const = 0;  // without friction and slip
  virtual void set_planes(const std::vector<PlaneState>& planes) = 0;  // for the same contacts; kept by reference
  virtual void add_softened(const Points& x, double scale, Projection projection, std::span<const double> stiffness,
                            Points& unused_gradient, SymBlockMatrix& H) const = 0;
  virtual void set_normal_radius(double radius) = 0;
  virtual bool normal_softens(const Points& x, double radius, std::span<const double> mass, double scale) const = 0;

  const System& system_;
  const StepContext* context_ = nullptr;
  std::vector<PlaneState> planes_;

 private:
  void set_reference(FrictionEnergy& friction) const;
  void lag_anew(const Points& x, const PredictedForces* predicted);
  double error_of_lagged(const Points& x);
  void merge_friction(const Points& x, std::vector<ContactRow>& rows) const;
  ContactRow lagged_row(const FrictionStencil& stencil, const Points& x) const;
  Vec3 slip_of(const ContactRow& row, const Points& x) const;

  FrictionEnergy friction_;
  double radius_ = 0;
  bool friction_possible_ = false;
  FrictionEnergy anew_;  // work space
  PredictedForces predicted_;
  CoulombError coulomb_;                        // work space
  std::vector<std::pair<Index, Index>> pairs_;  // work space
  Points unused_gradient_;                      // work space
};

// Makes the contact model that the scene selects.
std::unique_ptr<ContactModel> make_contact_model(const System& system);
// Makes a model without any contact, for scenes without contact.
std::unique_ptr<ContactModel> make_no_contact();

}  // namespace sinew
