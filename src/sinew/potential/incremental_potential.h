// The incremental potential E(x) = 1/2 |x - x~|_M^2 + a h^2 (Psi + B + D + ...) of one time step, with its step filter.
#pragma once

#include <array>
#include <memory>

#include "sinew/model/system.h"
#include "sinew/potential/contact_model.h"
#include "sinew/potential/elastic.h"
#include "sinew/potential/energy.h"
#include "sinew/potential/pseudo_inertia.h"

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

// What kept a step from its full length.
enum class StepLimit { none, contact, inversion };

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

class IncrementalPotential {
 public:
  explicit IncrementalPotential(std::shared_ptr<const System> system);
  ~IncrementalPotential();

  const System& system() const { return *system_; }
  const StepContext& context() const { return *context_; }
  ContactModel& contact() { return *contact_; }
  const ContactModel& contact() const { return *contact_; }
  const ElasticEnergy& elastic() const { return *elastic_; }
  // Empty but in load steps with bodies that contact alone holds; released when a step begins.
  PseudoInertiaEnergy& pseudo_inertia() { return *pseudo_inertia_; }
  const PseudoInertiaEnergy& pseudo_inertia() const { return *pseudo_inertia_; }

  // The system has changed.
  void adapt(Change change);

  // Starts a step: `context` is kept by reference. Contacts, and lagged friction and pressures, are taken at
  // context.start.
  void begin_step(const StepContext& context, double contact_stiffness);

  // The contacts at x and the planes' states that go with it; value() and derivatives refer to it until the next call.
  void set_contacts(const Points& x, const std::vector<PlaneState>& planes);

  // Brings the contacts to a trial point of a line search (ContactModel::follow).
  void follow_contacts(const Points& x, const std::vector<PlaneState>& planes);

  // Lagged friction (normal forces, tangents) and open pressure patches at x, whose contacts must be set.
  void update_lagged(const Points& x);
  // ContactModel::lag_ahead(): friction alone; E, the value at x, follows.
  bool lag_friction_ahead(const Points& x, double tolerance, PotentialValue& E);
  // How far lagged friction is from Coulomb's law at x (ContactModel::friction_error), and how much other lagged forces
  // would change if they were updated there, relative to their size.
  double friction_error(const Points& x) { return contact_->friction_error(x); }
  double lagging_change(const Points& x) const;

  // E(x) with the current contacts; +infinity outside the domain.
  PotentialValue value(const Points& x) const;
  // The energies of the stencils at each vertex (dynamic_count), as they enter E: Energy::add_vertex_energies.
  void vertex_energies(const Points& x, std::span<double> values) const;
  // A bound of the rounding error of value(x) = E, in units of E.
  double value_rounding(const Points& x, const PotentialValue& E) const;
  void gradient(const Points& x, Points& g) const;
  // H gets pattern() when it has another one.
  void derivatives(const Points& x, const HessianParts& parts, Points& g, SymBlockMatrix& H);
  // The elastic Hessian at x, as it enters H: with a h^2, of mesh_pattern().
  void elastic_hessian(const Points& x, Projection projection, SymBlockMatrix& K);

  // The pattern of the mesh, the springs and the current contacts. It stays the same object while it can hold them.
  std::shared_ptr<const BlockPattern> pattern();
  const std::shared_ptr<const BlockPattern>& mesh_pattern() const { return mesh_pattern_; }

  // The largest step in (0, 1] along d (3 x n_all) without intersection or inversion, planes moving to `planes_step`.
  double max_step(const Points& x, const Points& d, const std::vector<PlaneState>& planes_step);

  // What limited the last max_step().
  StepLimit step_limit() const { return step_limit_; }

  // Physical force at x of all terms of a kind [N], 3 x dynamic_count, from energies without a h^2.
  Points force(EnergyKind kind, const Points& x) const;
  // The forces of every term that the scene has, with the current contacts; in equilibrium they add up to zero at free
  // vertices.
  std::vector<TermForce> forces_by_term(const Points& x) const;
  // The largest force of any one term on any vertex [N].
  double largest_force(const Points& x) const;

  double collision_seconds = 0, assembly_seconds = 0;  // added up; the caller resets them

 private:
  double weight(const Energy& term) const;

  std::shared_ptr<const System> system_;
  const StepContext* context_ = nullptr;
  std::vector<std::unique_ptr<Energy>> owned_;
  std::vector<Energy*> terms_;        // all, in the order in which they are added; contact and friction come last
  std::size_t body_terms_ = 0;        // those before
  ElasticEnergy* elastic_ = nullptr;  // the first of them, and
  EdgeSpringEnergy* edge_springs_ = nullptr;
  PseudoInertiaEnergy* pseudo_inertia_ = nullptr;
  std::unique_ptr<ContactModel> contact_;
  StepLimit step_limit_ = StepLimit::none;

  std::shared_ptr<const BlockPattern> mesh_pattern_;  // tets, springs, pressures
  std::shared_ptr<const BlockPattern> pattern_;
  std::vector<std::pair<Index, Index>> pairs_;  // work
  Points unused_gradient_;                      // work
};

}  // namespace sinew
