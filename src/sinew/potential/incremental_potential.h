// The incremental potential E(x) = 1/2 |x - x~|_M^2 + a h^2 (Psi + B + D + ...) of one time step, with its step filter.
#pragma once

#include <limits>
#include <memory>

#include "sinew/contact/candidates.h"
#include "sinew/contact/contact_set.h"
#include "sinew/model/changes.h"
#include "sinew/model/step_context.h"
#include "sinew/model/system.h"
#include "sinew/potential/barrier_energy.h"
#include "sinew/potential/damping.h"
#include "sinew/potential/edge_springs.h"
#include "sinew/potential/elastic.h"
#include "sinew/potential/friction_energy.h"
#include "sinew/potential/pressure.h"
#include "sinew/potential/springs.h"

namespace sinew {

// The terms at some positions, each as it enters E.
struct PotentialValue {
  double inertia = 0, elastic = 0, barrier = 0, friction = 0, other = 0;

  double total() const { return inertia + elastic + barrier + friction + other; }
  // Sum of magnitudes: the scale of rounding errors in total().
  double magnitude() const;
};

// What kept a step from its full length.
enum class StepLimit { none, contact, inversion };

// The force of one term of the potential on every vertex.
struct TermForce {
  const char* term = "";  // "inertia" (loads and gravity included), "load" (in statics), "elastic", "contact", ...
  Points force;           // 3 x dynamic_count [N]
};

class IncrementalPotential {
 public:
  explicit IncrementalPotential(std::shared_ptr<const System> system);
  ~IncrementalPotential();

  const System& system() const { return *system_; }
  const StepContext& context() const { return *context_; }

  // The system has changed.
  void adapt(Change change);

  // Starts a step: `context` is kept by reference. Contacts, and lagged friction and pressures, are taken at
  // context.start.
  void begin_step(const StepContext& context, double contact_stiffness);

  // The contact set at x and the planes' states that go with it; value() and derivatives refer to it until the next
  // call.
  void set_contacts(const Points& x, const std::vector<PlaneState>& planes);

  // Lagged friction (normal forces, tangents) and open pressure patches at x, whose contacts must be set.
  void update_lagged(const Points& x);
  bool has_lagged_terms() const;
  // How much the lagged forces would change if they were updated at x, relative to their size.
  double lagging_change(const Points& x) const;

  // With the current contact set. +infinity outside the domain.
  PotentialValue value(const Points& x) const;
  // A bound of the rounding error of value(x) = E, in units of E.
  double value_rounding(const Points& x, const PotentialValue& E) const;
  void gradient(const Points& x, Points& g) const;
  // Only the contact terms, with obstacles and analytic planes elsewhere than the (frozen) contact set saw them.
  void contact_gradient(const Points& x, const std::vector<PlaneState>& planes, Points& g);
  // Of the barrier alone, at the current contact set.
  void normal_gradient(const Points& x, Points& g) const;
  // H gets pattern() when it has another one.
  void derivatives(const Points& x, Projection projection, Points& g, SymBlockMatrix& H);
  // The same with `elastic`, of mesh_pattern(), in place of the elastic Hessian at x.
  void derivatives(const Points& x, Projection projection, const SymBlockMatrix& elastic, Points& g, SymBlockMatrix& H);
  // Only the Hessian, its elastic part summed over the given tets with weights (of their rest volumes).
  void hessian(const Points& x, Projection projection, std::span<const Index> tets, std::span<const double> weights,
               SymBlockMatrix& H);
  // The next one of these leaves in *H its Hessian without contacts and friction.
  void keep_without_contacts(SymBlockMatrix* H) { without_contacts_ = H; }
  // The elastic Hessian at x, as it enters H: with a h^2, of mesh_pattern().
  void elastic_hessian(const Points& x, Projection projection, SymBlockMatrix& K);

  // The Hessian of contacts and friction alone, as it enters H, in series with springs of their vertices, `stiffness`
  // each (dynamic_count entries, in units of H): no stiffer than these. Its pattern is that of the present contacts.
  void soft_contact_hessian(const Points& x, Projection projection, std::span<const double> stiffness,
                            SymBlockMatrix& H);
  // Whether that is not zero.
  bool has_contact_hessian() const { return contact_count() > 0 || has_friction(); }

  // The pattern of the mesh, the springs and the current contacts. It stays the same object while it can hold them.
  std::shared_ptr<const BlockPattern> pattern();
  const std::shared_ptr<const BlockPattern>& mesh_pattern() const { return mesh_pattern_; }

  // The largest step in (0, 1] along d (3 x n_all) without intersection or inversion, planes moving to `planes_step`.
  double max_step(const Points& x, const Points& d, const std::vector<PlaneState>& planes_step);

  // What limited the last max_step().
  StepLimit step_limit() const { return step_limit_; }

  bool may_touch() const { return detector_ != nullptr; }
  bool has_friction() const { return friction_possible_ && !friction_->empty(); }
  // After `alpha` of the displacement d (3 x n_all) from x, where derivatives() was: what that predicts of friction's
  // forces shapes its next Hessian.
  void took(const Points& x, const Points& d, double alpha);
  // > 0: derivatives() gives contacts and friction the least stiffness that they have within this radius of x [m].
  void set_contact_radius(double radius);
  // Whether that is less than half of what they have at x, where it matters beside inertia.
  bool contacts_soften(const Points& x, double radius) const;

  double contact_stiffness() const;
  void set_contact_stiffness(double kappa);

  double min_distance() const { return min_distance_; }  // of the active pairs [m]; infinity: none
  std::size_t contact_count() const { return set_->stencils.size(); }

  // Physical forces at x [N], 3 x dynamic_count, from energies without a h^2.
  Points elastic_force(const Points& x) const;
  Points contact_force(const Points& x) const;
  Points friction_force(const Points& x) const;
  // Of every term that the scene has, with the current contact set; in equilibrium they add up to zero where free.
  std::vector<TermForce> forces_by_term(const Points& x) const;
  double spring_energy(const Points& x) const { return springs_->empty() ? 0.0 : springs_->value(x); }

  const ElasticEnergy& elastic() const { return *elastic_; }
  const std::vector<ContactStencil>& contacts() const { return set_->stencils; }
  const std::vector<PlaneState>& planes() const { return planes_; }

  double collision_seconds = 0, assembly_seconds = 0;  // added up; the caller resets them

 private:
  void add_small_gradients(const Points& x, Points& g) const;  // all but the elastic one
  void clear(Points& g, SymBlockMatrix& H);
  void add_small_derivatives(const Points& x, Projection projection, Points& g, SymBlockMatrix& H);
  void collect_contact_pairs();

  std::shared_ptr<const System> system_;
  const StepContext* context_ = nullptr;
  std::unique_ptr<ElasticEnergy> elastic_;
  std::unique_ptr<EdgeSpringEnergy> edge_springs_;  // counts as elastic
  std::unique_ptr<SpringEnergy> springs_;
  std::unique_ptr<PressureEnergy> pressure_;
  std::unique_ptr<DampingEnergy> damping_;
  std::unique_ptr<BarrierEnergy> barrier_;
  std::unique_ptr<FrictionEnergy> friction_;
  std::unique_ptr<ContactDetector> detector_;

  ContactSet none_;                 // of scenes without contact
  const ContactSet* set_ = &none_;  // owned by the detector, valid until its next search
  std::vector<PlaneState> planes_;
  double min_distance_ = std::numeric_limits<double>::infinity();  // [m]
  bool friction_possible_ = false;
  StepLimit step_limit_ = StepLimit::none;

  std::shared_ptr<const BlockPattern> mesh_pattern_;  // tets, springs, pressures
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<std::pair<Index, Index>> pairs_;  // work
  Points unused_gradient_;                      // work
  SymBlockMatrix* without_contacts_ = nullptr;  // of keep_without_contacts()
};

}  // namespace sinew
