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
#include "sinew/potential/elastic_energy.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/free_islands.h"
#include "sinew/potential/potential.h"
#include "sinew/potential/pseudo_inertia.h"

namespace sinew {

// The forces of one term of the potential on all vertices.
struct TermForce {
  std::string_view term;  // Energy::name(); "inertia" holds loads and gravity
  Points force;           // 3 x dynamic_count [N]
};

// Options of derivatives().
struct HessianParts {
  Projection projection = Projection::psd;
  const SymBlockMatrix* elastic = nullptr;  // replaces the elastic Hessian at x; has mesh_pattern()
  std::span<const Index> tets = {};         // if not empty, only these tets, with `weights`, make the elastic Hessian
  std::span<const double> weights = {};     // factors on the tets' rest volumes
  SymBlockMatrix* bodies = nullptr;         // receives the Hessian without contacts and friction; may be null
  bool without_elastic = false;             // leaves out the tets, in the gradient too
};

class EdgeSpringEnergy;  // potential/edge_springs.h
class LoadEnergy;        // potential/load_energy.h

// Parts that a potential may leave out.
struct PotentialParts {
  bool elastic = true;  // the energy of tets, and stiffness damping, which uses its Hessian
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
  // Call when StepContext::shortening has changed.
  void renew_states() { elastic_->begin_step(*context_); }
  const ElasticEnergy& elastic() const { return *elastic_; }  // only if PotentialParts::elastic
  const std::vector<const LoadEnergy*>& load_terms() const { return load_terms_; }
  // Has terms only in load steps with bodies that nothing but contact holds; released when a step begins.
  PseudoInertiaEnergy& pseudo_inertia() { return *pseudo_inertia_; }
  const PseudoInertiaEnergy& pseudo_inertia() const { return *pseudo_inertia_; }

  // Call when the system has changed.
  void adapt(Change change);

  // Starts a step. `context` is kept by reference. Finds the contacts at context.start and lags friction and pressures
  // there.
  void begin_step(const StepContext& context, double contact_stiffness);

  void set_contacts(const Points& x, const std::vector<PlaneState>& planes) override;
  void follow_contacts(const Points& x, const std::vector<PlaneState>& planes) override;

  // Lags friction, and the pressure of open patches, at x.
  using Potential::update_lagged;
  void update_lagged(const Points& x, double share) override;
  void predict_forces(const Points& x, const Points& d, const std::vector<PlaneState>& planes_end) override {
    contact_->predict_forces(x, d, planes_end);
  }
  bool lag_friction_ahead(const Points& x, double tolerance, PotentialValue& E) override;
  double friction_error(const Points& x) override { return contact_->friction_error(x); }
  double lagging_change(const Points& x) const override;
  LaggingChange lagging(const Points& x) const;  // summed over the terms

  PotentialValue value(const Points& x) const override;
  // Sets the energies of the stencils at each vertex (dynamic_count entries), weighted as in E:
  // Energy::add_vertex_energies.
  void vertex_energies(const Points& x, std::span<double> values) const;
  double value_rounding(const Points& x, const PotentialValue& E) const override;
  void gradient(const Points& x, Points& g) const override;
  // The gradient as if nothing were tied. At tied vertices it is the force that the ties carry.
  void gradient_by_all(const Points& x, Points& g) const;
  // g (3 x dynamic_count) += gradient of normal forces and friction, weighted as in E. `planes` may have moved since
  // set_contacts(); this affects only the normal forces.
  void add_contact_gradient(const Points& x, const std::vector<PlaneState>& planes, Points& g);
  double slope(const Points& g, const Points& d) const override;
  StepNorms norms(const Points& d) const override { return step_norms(d, columns(), context_->step); }
  StepNorms motion(const Points& x) const override;
  // Sets g and H at x. H gets pattern() unless it has this pattern already.
  void derivatives(const Points& x, const HessianParts& parts, Points& g, SymBlockMatrix& H);
  // Sets K to the elastic Hessian at x times a h^2, in mesh_pattern().
  void elastic_hessian(const Points& x, Projection projection, SymBlockMatrix& K);
  // The projected Hessian at the rest shape, at the temperature of the mesh and without history: a constant of the
  // scene.
  void elastic_hessian_at_rest(SymBlockMatrix& K);

  // The pattern of the mesh, the springs and the current contacts. Returns the same object as long as it contains all
  // of them.
  std::shared_ptr<const BlockPattern> pattern();
  const std::shared_ptr<const BlockPattern>& mesh_pattern() const { return mesh_pattern_; }

  double max_step(const Points& x, const Points& d, const std::vector<PlaneState>& planes_step) override;
  StepLimit step_limit() const override { return step_limit_; }
  // Prepares the line search. Bodies that rotate will move along arcs (body_arcs.h).
  void begin_search(const Points& x, const Points& d, double slope) override;
  bool retract(const Points& x, const Points& d, double alpha, const std::vector<PlaneState>& planes_trial,
               Points& trial) override;
  void took(const Points& x, const Points& d, double alpha) override { contact_->took(x, d, alpha); }

  // Sets d to the displacement of prescribed coordinates of vertices, obstacles and planes to their targets
  // (displacement_to_target.cpp).
  DisplacementToTarget displacement_to_target(const Points& x, std::vector<PlaneState>& planes,
                                              Points& d) const override;
  const std::vector<PlaneState>& plane_targets() const override { return context_->plane_end; }
  void drift(const Points& x, const std::vector<PlaneState>& planes, const Points& d, Points& drift) override;
  void place_prescribed(Points& x) const override;
  void translate_free(const Points& g, Points& d) override { islands_.translate(*context_, *contact_, g, d); }
  void complete(Points& d) const override {
    if (ties()) ties()->place(d);
    system_->embedding.place(d);
  }

  // Tests whether forces balance (balance.cpp).
  bool contacts_soften(const Points& x, double radius) const override;
  bool contacts_balance(const Points& x, const Points& g, std::span<const char> flags, double share,
                        double tolerance) const override;
  double residual(const Points& g, std::span<const char> flags) const override;
  bool forces_balance(const Points& x, const Points& g, std::span<const char> flags, double share) const override;

  // Physical force at x of all terms of a kind [N], from energies without a h^2: 3 x dynamic_count. The second function
  // gives the force on each vertex of the bodies, followers included: 3 x body_vertex_count().
  Points force(EnergyKind kind, const Points& x) const;
  Points force_on_points(EnergyKind kind, const Points& x) const;
  // Returns the forces of every term of the scene, with the current contacts. In equilibrium they add up to zero at
  // free vertices.
  std::vector<TermForce> forces_by_term(const Points& x) const;
  // As if nothing were tied (see gradient_by_all()).
  std::vector<TermForce> forces_by_all(const Points& x) const;
  // The largest force of any single term on any vertex [N].
  double largest_force(const Points& x) const;

 private:
  double weight(const Energy& term) const;
  // Vertices that follow others (System::embedding): springs, pressure and contact act on them as on other vertices.
  // Terms are first summed over all vertices of bodies. The sums at followers then move to the vertices that they
  // follow.
  bool has_followers() const { return !system_->embedding.empty(); }
  void add_tied_pairs_of_mesh();
  void add_follower_pairs(std::size_t first, std::size_t end);
  void find_loaded_followers();
  void begin_point_sum() const;
  void add_from_points(Points& g) const;
  void add_from_points(Points& g, SymBlockMatrix& H);
  // Tied vertices (StepContext::ties): terms act on them as on others. The sums at tied vertices then move to the
  // vertices that they follow.
  const Embedding* ties() const { return context_ ? context_->ties.get() : nullptr; }
  void condense(Points& g) const;
  void add_term_gradient(std::size_t term, const Points& x, double scale, Points& g) const;

  std::shared_ptr<const System> system_;
  const StepContext* context_ = nullptr;
  std::vector<std::unique_ptr<Energy>> owned_;
  std::vector<Energy*> terms_;        // all terms in the order of summation; contact and friction come last
  std::size_t body_terms_ = 0;        // number of terms before contact and friction
  std::vector<char> of_points_;       // by term: whether it sums over all vertices of bodies, if some follow others
  ElasticEnergy* elastic_ = nullptr;  // the first of terms_, or null
  EdgeSpringEnergy* edge_springs_ = nullptr;
  std::vector<const LoadEnergy*> load_terms_;
  PseudoInertiaEnergy* pseudo_inertia_ = nullptr;
  std::unique_ptr<ContactModel> contact_;
  FreeIslands islands_;
  StepLimit step_limit_ = StepLimit::none;

  std::shared_ptr<const BlockPattern> mesh_pattern_;  // tets, springs, pressures
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<std::pair<Index, Index>> pairs_;  // work space
  // Patterns of H_points_: without contacts, and with the current contacts.
  std::shared_ptr<const BlockPattern> own_point_pattern_, point_pattern_;
  SymBlockMatrix H_points_;
  EmbeddedHessian embedded_;
  TiedHessian tied_;
  std::optional<BodyArcs> arcs_;
  // Work arrays.
  Points unused_gradient_, moved_, before_;
  // Gradient over all vertices of bodies, zero between sums. Terms act on few followers, those in acting_.
  mutable Points g_points_;
  std::vector<Index> loaded_followers_;  // followers on which springs and pressure act
  mutable IndexSet acting_;
  std::vector<double> point_mass_;  // by vertex of bodies, the inertia against a force at the vertex [kg]
  mutable Points difference_, contact_forces_;
  mutable std::vector<double> point_energies_;
};

}  // namespace sinew
