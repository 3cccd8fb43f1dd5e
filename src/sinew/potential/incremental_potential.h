// The incremental potential E(x) = 1/2 |x - x~|_M^2 + a h^2 (Psi + B + D + ...) of one time step, with its step filter.
#pragma once

#include <memory>
#include <optional>

#include "sinew/core/index_set.h"
#include "sinew/kinematics/embedded_hessian.h"
#include "sinew/kinematics/tied_hessian.h"
#include "sinew/model/system.h"
#include "sinew/potential/body_arcs.h"
#include "sinew/potential/contact_model.h"
#include "sinew/potential/elastic.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/potential.h"
#include "sinew/potential/pseudo_inertia.h"

namespace sinew {

// The force of one term of the potential on every vertex.
struct TermForce {
  std::string_view term;  // Energy::name(); "inertia" holds loads and gravity
  Points force;           // 3 x dynamic_count [N]
};

// How a Hessian is put together.
struct HessianParts {
  Projection projection = Projection::psd;
  const SymBlockMatrix* elastic = nullptr;  // of mesh_pattern(), in place of the elastic Hessian at x
  std::span<const Index> tets = {};         // with weights: the elastic Hessian is summed over these alone
  std::span<const double> weights = {};     // of their rest volumes
  SymBlockMatrix* bodies = nullptr;         // gets all but contacts and friction
  bool without_elastic = false;             // leaves the tets out, their gradient too
};

class EdgeSpringEnergy;  // potential/edge_springs.h

// Parts that a potential may leave out.
struct PotentialParts {
  bool elastic = true;  // the energy of tets, and stiffness damping, which is made of its Hessian
  bool contact = true;
};

class IncrementalPotential final : public Potential {
 public:
  explicit IncrementalPotential(std::shared_ptr<const System> system, const PotentialParts& parts = {});
  // The system must outlive this.
  explicit IncrementalPotential(const System& system, const PotentialParts& parts = {})
      : IncrementalPotential(std::shared_ptr<const System>(std::shared_ptr<const System>(), &system), parts) {}
  ~IncrementalPotential() override;

  const System& system() const override { return *system_; }
  Index columns() const override { return system_->dynamic_count; }
  double step() const override { return context_->step; }
  bool has_inertia() const override { return context_->inertia; }
  double extent(const Points& x) const override;
  const StepContext& context() const { return *context_; }
  using Potential::contact;
  ContactModel& contact() override { return *contact_; }
  const ElasticEnergy& elastic() const { return *elastic_; }  // where it is part of this
  // Empty but in load steps with bodies that contact alone holds; released when a step begins.
  PseudoInertiaEnergy& pseudo_inertia() { return *pseudo_inertia_; }
  const PseudoInertiaEnergy& pseudo_inertia() const { return *pseudo_inertia_; }

  // The system has changed.
  void adapt(Change change);

  // Starts a step: `context` is kept by reference. Contacts, and lagged friction and pressures, are taken at
  // context.start.
  void begin_step(const StepContext& context, double contact_stiffness);

  void set_contacts(const Points& x, const std::vector<PlaneState>& planes) override;
  void follow_contacts(const Points& x, const std::vector<PlaneState>& planes) override;

  // Lagged friction, and open pressure patches.
  void update_lagged(const Points& x) override;
  void predict_forces(const Points& x, const Points& d, const std::vector<PlaneState>& planes_end) override {
    contact_->predict_forces(x, d, planes_end);
  }
  bool lag_friction_ahead(const Points& x, double tolerance, PotentialValue& E) override;
  double friction_error(const Points& x) override { return contact_->friction_error(x); }
  double lagging_change(const Points& x) const override;
  LaggingChange lagging(const Points& x) const;  // summed over the terms

  PotentialValue value(const Points& x) const override;
  // The energies of the stencils at each vertex (dynamic_count), as they enter E: Energy::add_vertex_energies.
  void vertex_energies(const Points& x, std::span<double> values) const;
  double value_rounding(const Points& x, const PotentialValue& E) const override;
  void gradient(const Points& x, Points& g) const override;
  // The gradient as if nothing were tied; at tied vertices it is the force that ties carry.
  void gradient_by_all(const Points& x, Points& g) const;
  // g (3 x dynamic_count) += the gradient of normal forces, with planes that may have moved since set_contacts(), and
  // of friction, as they enter E.
  void add_contact_gradient(const Points& x, const std::vector<PlaneState>& planes, Points& g);
  double slope(const Points& g, const Points& d) const override;
  StepNorms norms(const Points& d) const override { return step_norms(d, columns(), context_->step); }
  StepNorms motion(const Points& x) const override;
  // H gets pattern() when it has another one.
  void derivatives(const Points& x, const HessianParts& parts, Points& g, SymBlockMatrix& H);
  // The elastic Hessian at x, as it enters H: with a h^2, of mesh_pattern().
  void elastic_hessian(const Points& x, Projection projection, SymBlockMatrix& K);

  // The pattern of the mesh, the springs and the current contacts. It stays the same object while it can hold them.
  std::shared_ptr<const BlockPattern> pattern();
  const std::shared_ptr<const BlockPattern>& mesh_pattern() const { return mesh_pattern_; }

  double max_step(const Points& x, const Points& d, const std::vector<PlaneState>& planes_step) override;
  StepLimit step_limit() const override { return step_limit_; }
  // Bodies that turn go along arcs (body_arcs.h).
  void begin_search(const Points& x, const Points& d, double slope) override;
  bool retract(const Points& x, const Points& d, double alpha, const std::vector<PlaneState>& planes_trial,
               Points& trial) override;
  void took(const Points& x, const Points& d, double alpha) override { contact_->took(x, d, alpha); }

  // The displacement of prescribed coordinates of vertices, obstacles and planes (displacement_to_target.cpp).
  DisplacementToTarget displacement_to_target(const Points& x, std::vector<PlaneState>& planes,
                                              Points& d) const override;
  const std::vector<PlaneState>& plane_targets() const override { return context_->plane_end; }
  void drift(const Points& x, const std::vector<PlaneState>& planes, const Points& d, Points& drift) override;
  void place_prescribed(Points& x) const override;
  void complete(Points& d) const override {
    if (ties()) ties()->place(d);
    system_->embedding.place(d);
  }

  // Whether forces balance (balance.cpp).
  bool contacts_soften(const Points& x, double radius) const override;
  bool contacts_balance(const Points& x, const Points& g, std::span<const char> flags, double share,
                        double tolerance) const override;
  double residual(const Points& g, std::span<const char> flags) const override;
  bool forces_balance(const Points& x, const Points& g, std::span<const char> flags, double share) const override;

  // Physical force at x of all terms of a kind [N], 3 x dynamic_count, from energies without a h^2. The second is on
  // the vertices of bodies one by one, those that follow others too, 3 x body_vertex_count().
  Points force(EnergyKind kind, const Points& x) const;
  Points force_on_points(EnergyKind kind, const Points& x) const;
  // The forces of every term that the scene has, with the current contacts; in equilibrium they add up to zero at free
  // vertices.
  std::vector<TermForce> forces_by_term(const Points& x) const;
  // The largest force of any one term on any vertex [N].
  double largest_force(const Points& x) const;

 private:
  double weight(const Energy& term) const;
  // Vertices that follow others (System::embedding): springs, pressure and contact act on them as on other vertices.
  // Sums are first over all vertices of bodies; from followers they then move to the vertices that these follow.
  bool has_followers() const { return !system_->embedding.empty(); }
  void add_tied_pairs_of_mesh();
  void add_follower_pairs(std::size_t first, std::size_t end);
  void find_loaded_followers();
  void begin_point_sum() const;
  void add_from_points(Points& g) const;
  void add_from_points(Points& g, SymBlockMatrix& H);
  // Tied vertices (StepContext::ties): terms act on them as on others. The sums then move to the vertices that they
  // follow.
  const Embedding* ties() const { return context_ ? context_->ties.get() : nullptr; }
  void condense(Points& g) const;
  void add_term_gradient(std::size_t term, const Points& x, double scale, Points& g) const;

  std::shared_ptr<const System> system_;
  const StepContext* context_ = nullptr;
  std::vector<std::unique_ptr<Energy>> owned_;
  std::vector<Energy*> terms_;        // all, in the order in which they are added; contact and friction come last
  std::size_t body_terms_ = 0;        // of terms_, the first ones
  std::vector<char> of_points_;       // of terms_: whether it sums over all vertices of bodies, if some follow others
  ElasticEnergy* elastic_ = nullptr;  // the first of terms_ if the potential has it
  EdgeSpringEnergy* edge_springs_ = nullptr;
  PseudoInertiaEnergy* pseudo_inertia_ = nullptr;
  std::unique_ptr<ContactModel> contact_;
  StepLimit step_limit_ = StepLimit::none;

  std::shared_ptr<const BlockPattern> mesh_pattern_;  // tets, springs, pressures
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<std::pair<Index, Index>> pairs_;                             // work
  std::shared_ptr<const BlockPattern> own_point_pattern_, point_pattern_;  // of H_points_: without contacts; present
  SymBlockMatrix H_points_;
  EmbeddedHessian embedded_;
  TiedHessian tied_;
  std::optional<BodyArcs> arcs_;
  // Work arrays.
  Points unused_gradient_, moved_, before_;
  // Over all vertices of bodies, zero between sums. Terms act on few followers: those in acting_.
  mutable Points g_points_;
  std::vector<Index> loaded_followers_;  // on which springs and pressure act
  mutable IndexSet acting_;
  std::vector<double> point_mass_;  // by vertex of bodies, the inertia against a force there [kg]
  mutable Points difference_, contact_forces_;
  mutable std::vector<double> point_energies_;
};

}  // namespace sinew
