#include "sinew/potential/incremental_potential.h"

#include <cmath>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/model/automatic_scales.h"
#include "sinew/potential/inertia.h"
#include "sinew/potential/inversion_filter.h"

namespace sinew {
namespace {

void set_zero(Points& g, Index n) {
  g.resize(3, n);
  parallel_for(
      n, [&](std::size_t i) { g.col(i).setZero(); }, 4096);
}

}  // namespace

double PotentialValue::magnitude() const {
  return std::abs(inertia) + std::abs(elastic) + std::abs(barrier) + std::abs(friction) + std::abs(other);
}

IncrementalPotential::IncrementalPotential(std::shared_ptr<const System> system) : system_(std::move(system)) {
  const System& s = *system_;
  elastic_ = std::make_unique<ElasticEnergy>(s.rest, s.tets, s.groups, s.dynamic_count);
  edge_springs_ = std::make_unique<EdgeSpringEnergy>(s);
  springs_ = std::make_unique<SpringEnergy>(s);
  pressure_ = std::make_unique<PressureEnergy>(s);
  damping_ = std::make_unique<DampingEnergy>(s);
  barrier_ = std::make_unique<BarrierEnergy>(s.dynamic_count);
  friction_ = std::make_unique<FrictionEnergy>(s.dynamic_count);
  if (s.setup.contact.enabled) detector_ = std::make_unique<ContactDetector>(s.collision);
  friction_possible_ = sinew::has_friction(s);
  elastic_->collect_pairs(pairs_);
  edge_springs_->collect_pairs(pairs_);
  springs_->collect_pairs(pairs_);
  pressure_->collect_pairs(pairs_);
  mesh_pattern_ = make_pattern(s.dynamic_count, pairs_);
  std::vector<std::pair<Index, Index>>().swap(pairs_);  // the largest it ever gets: give it back
  pattern_ = mesh_pattern_;
}

IncrementalPotential::~IncrementalPotential() = default;

void IncrementalPotential::adapt(Change change) {
  if (change == Change::materials) elastic_->set_groups(system_->groups);
  if (change == Change::springs || change == Change::pulls) springs_->begin_step(context_ ? context_->time_end : 0);
  if (change == Change::friction) friction_possible_ = sinew::has_friction(*system_);
}

void IncrementalPotential::begin_step(const StepContext& context, double contact_stiffness) {
  context_ = &context;
  set_contact_stiffness(contact_stiffness);
  springs_->begin_step(context.time_end);
  pressure_->begin_step(context.start, context.time_end, context.load_factor);
  damping_->begin_step(context, *elastic_, mesh_pattern_);
  // Nothing that influences bits outlives a step, so that a resumed run repeats them.
  pattern_ = mesh_pattern_;
  set_contacts(context.start, context.plane_start);
  if (friction_possible_) {
    friction_->set_reference(context.reference, system_->setup.contact.slip_speed * context.reference_step);
    friction_->set_plane_motion(context.plane_reference, context.plane_end);
    friction_->lag(contacts(), context.start, planes_, barrier_->barrier(), system_->collision);
    friction_->set_plane_motion(context.plane_reference, context.plane_end);
  }
}

void IncrementalPotential::set_contacts(const Points& x, const std::vector<PlaneState>& planes) {
  planes_ = planes;
  if (!detector_) return;
  ScopedTimer timer(collision_seconds);
  set_ = &detector_->active_set(x, planes_, system_->contact_distance);
  min_distance_ = set_->min_distance;
  barrier_->set_contacts(set_->stencils, planes_);
}

void IncrementalPotential::update_lagged(const Points& x) {
  pressure_->update_lagged(x);
  if (!friction_possible_) return;
  friction_->lag(contacts(), x, planes_, barrier_->barrier(), system_->collision);
  friction_->set_plane_motion(context_->plane_reference, context_->plane_end);
}

bool IncrementalPotential::has_lagged_terms() const {
  return pressure_->has_open_patch() || (friction_possible_ && (!friction_->empty() || !set_->stencils.empty()));
}

double IncrementalPotential::lagging_change(const Points& x) const {
  const Index n = system_->dynamic_count;
  Points before, after;
  set_zero(before, n);
  set_zero(after, n);
  double change = 0, size = 0;
  if (friction_possible_) {
    friction_->add_gradient(x, 1, before);
    FrictionEnergy updated(n);
    updated.set_reference(context_->reference, system_->setup.contact.slip_speed * context_->reference_step);
    updated.lag(contacts(), x, planes_, barrier_->barrier(), system_->collision);
    updated.set_plane_motion(context_->plane_reference, context_->plane_end);
    updated.add_gradient(x, 1, after);
    change = (after - before).norm();
    size = std::max(after.norm(), before.norm());
  }
  if (pressure_->has_open_patch()) {
    PressureEnergy updated = *pressure_;
    set_zero(before, n);
    set_zero(after, n);
    pressure_->add_gradient(x, 1, before);
    updated.update_lagged(x);
    updated.add_gradient(x, 1, after);
    change += (after - before).norm();
    size += after.norm();
  }
  return size > 0 ? change / size : 0;
}

PotentialValue IncrementalPotential::value(const Points& x) const {
  PotentialValue E;
  const double scale = context_->scale;
  if (context_->inertia) {
    E.inertia = inertia_value(system_->mass, x, context_->predictor);
  } else {
    E.other += dead_load_value(context_->dead_force, x);
  }
  E.elastic = scale * elastic_->value(x);
  if (!edge_springs_->empty()) E.elastic += scale * edge_springs_->value(x);
  if (!springs_->empty()) E.other += scale * springs_->value(x);
  if (!pressure_->empty()) E.other += scale * pressure_->value(x);
  if (!damping_->empty()) E.other += scale * damping_->value(x);
  E.barrier = scale * barrier_->value(x);
  if (friction_possible_) E.friction = scale * friction_->value(x);
  return E;
}

// Sums of like terms lose a few roundings of their size. Deformation gradients are off by some roundings eps, which
// stress turns into energy: eps sum_e V_e |P_e| <= eps sqrt(2 Psi sum_e V_e E_e). Gaps are off by eps times the size of
// the positions that they come from, which contact forces turn into energy.
double IncrementalPotential::value_rounding(const Points& x, const PotentialValue& E) const {
  constexpr double eps = std::numeric_limits<double>::epsilon(), sums = 1e-14;
  double stiffness = 0;  // [J]
  for (const SystemBody& body : system_->bodies) stiffness += body.stiffness;
  const double elastic = 16 * eps * std::sqrt(2 * std::abs(E.elastic) * context_->scale * stiffness);
  double contact = 0;
  if (contact_count() > 0) {
    const double reach = parallel_max(x.cols(), 0.0, [&](std::size_t i) { return x.col(i).cwiseAbs().maxCoeff(); });
    contact = 16 * eps * context_->scale * barrier_->total_force(x) * reach;
  }
  return sums * E.magnitude() + elastic + contact;
}

void IncrementalPotential::add_small_gradients(const Points& x, Points& g) const {
  const double scale = context_->scale;
  if (context_->inertia) {
    add_inertia_gradient(system_->mass, x, context_->predictor, g);
  } else {
    add_dead_load_gradient(context_->dead_force, scale, g);
  }
  if (!springs_->empty()) springs_->add_gradient(x, scale, g);
  if (!pressure_->empty()) pressure_->add_gradient(x, scale, g);
  if (!damping_->empty()) damping_->add_gradient(x, scale, g);
  barrier_->add_gradient(x, scale, g);
  if (friction_possible_) friction_->add_gradient(x, scale, g);
}

void IncrementalPotential::gradient(const Points& x, Points& g) const {
  set_zero(g, system_->dynamic_count);
  elastic_->add_gradient(x, context_->scale, g);
  edge_springs_->add_gradient(x, context_->scale, g);
  add_small_gradients(x, g);
}

void IncrementalPotential::contact_gradient(const Points& x, const std::vector<PlaneState>& planes, Points& g) {
  set_zero(g, system_->dynamic_count);
  barrier_->set_planes(planes);
  barrier_->add_gradient(x, context_->scale, g);
  barrier_->set_planes(planes_);
  if (friction_possible_) friction_->add_gradient(x, context_->scale, g);
}

void IncrementalPotential::normal_gradient(const Points& x, Points& g) const {
  set_zero(g, system_->dynamic_count);
  barrier_->add_gradient(x, context_->scale, g);
}

void IncrementalPotential::collect_contact_pairs() {
  pairs_.clear();
  barrier_->collect_pairs(pairs_);
  if (friction_possible_) friction_->collect_pairs(pairs_);
}

std::shared_ptr<const BlockPattern> IncrementalPotential::pattern() {
  collect_contact_pairs();
  if (!pattern_->contains(pairs_)) {
    // Contacts come and go between iterations: a pattern that only grows within a step is analysed a few times a step.
    const auto growth = [&] { return pattern_->block_count() - mesh_pattern_->block_count(); };
    const bool crowded = growth() > 2 * static_cast<std::int64_t>(pairs_.size());
    pattern_ = extend_pattern(crowded ? *mesh_pattern_ : *pattern_, pairs_);
  }
  return pattern_;
}

void IncrementalPotential::clear(Points& g, SymBlockMatrix& H) {
  const std::shared_ptr<const BlockPattern> wanted = pattern();
  if (H.shared_pattern() != wanted) {
    H.set_pattern(wanted);  // zero as well
  } else {
    H.set_zero();
  }
  set_zero(g, system_->dynamic_count);
}

// All but the elastic ones.
void IncrementalPotential::add_small_derivatives(const Points& x, Projection projection, Points& g, SymBlockMatrix& H) {
  const double scale = context_->scale;
  if (context_->inertia) {
    add_inertia_gradient(system_->mass, x, context_->predictor, g);
    add_inertia_hessian(system_->mass, H);
  } else {
    add_dead_load_gradient(context_->dead_force, scale, g);
  }
  if (!springs_->empty()) springs_->add_derivatives(x, scale, projection, g, H);
  if (!pressure_->empty()) pressure_->add_derivatives(x, scale, projection, g, H);
  if (!damping_->empty()) damping_->add_derivatives(x, scale, projection, g, H);
  if (without_contacts_) *std::exchange(without_contacts_, nullptr) = H;
  barrier_->add_derivatives(x, scale, projection, g, H);
  if (friction_possible_) friction_->add_derivatives(x, scale, projection, g, H);
}

void IncrementalPotential::derivatives(const Points& x, Projection projection, Points& g, SymBlockMatrix& H) {
  ScopedTimer timer(assembly_seconds);
  clear(g, H);
  elastic_->add_derivatives(x, context_->scale, projection, g, H);
  edge_springs_->add_derivatives(x, context_->scale, projection, g, H);
  add_small_derivatives(x, projection, g, H);
}

void IncrementalPotential::derivatives(const Points& x, Projection projection, const SymBlockMatrix& elastic, Points& g,
                                       SymBlockMatrix& H) {
  ScopedTimer timer(assembly_seconds);
  clear(g, H);
  elastic_->add_gradient(x, context_->scale, g);
  edge_springs_->add_gradient(x, context_->scale, g);
  H.add(elastic);
  add_small_derivatives(x, projection, g, H);
}

void IncrementalPotential::hessian(const Points& x, Projection projection, std::span<const Index> tets,
                                   std::span<const double> weights, SymBlockMatrix& H) {
  ScopedTimer timer(assembly_seconds);
  clear(unused_gradient_, H);
  elastic_->add_derivatives(x, context_->scale, projection, tets, weights, unused_gradient_, H);
  edge_springs_->add_derivatives(x, context_->scale, projection, unused_gradient_, H);
  add_small_derivatives(x, projection, unused_gradient_, H);
}

void IncrementalPotential::elastic_hessian(const Points& x, Projection projection, SymBlockMatrix& K) {
  ScopedTimer timer(assembly_seconds);
  if (K.shared_pattern() != mesh_pattern_) {
    K.set_pattern(mesh_pattern_);
  } else {
    K.set_zero();
  }
  set_zero(unused_gradient_, system_->dynamic_count);
  elastic_->add_derivatives(x, context_->scale, projection, unused_gradient_, K);
  edge_springs_->add_derivatives(x, context_->scale, projection, unused_gradient_, K);
}

void IncrementalPotential::soft_contact_hessian(const Points& x, Projection projection,
                                                std::span<const double> stiffness, SymBlockMatrix& H) {
  ScopedTimer timer(assembly_seconds);
  collect_contact_pairs();
  H.set_pattern(make_pattern(system_->dynamic_count, pairs_));
  set_zero(unused_gradient_, system_->dynamic_count);
  barrier_->add_softened(x, context_->scale, projection, stiffness, unused_gradient_, H);
  if (friction_possible_) friction_->add_softened(x, context_->scale, projection, stiffness, unused_gradient_, H);
}

double IncrementalPotential::max_step(const Points& x, const Points& d, const std::vector<PlaneState>& planes_step) {
  ScopedTimer timer(collision_seconds);
  const double inversion = inversion_step(*system_, x, d);
  const double contact = detector_ ? detector_->max_step(x, d, planes_, planes_step) : 1;
  const double step = std::min(inversion, contact);
  step_limit_ = step == 1 ? StepLimit::none : contact < inversion ? StepLimit::contact : StepLimit::inversion;
  return step;
}

void IncrementalPotential::took(const Points& x, const Points& d, double alpha) {
  if (friction_possible_) friction_->took(x, d, alpha);
}

void IncrementalPotential::set_contact_radius(double radius) {
  barrier_->set_radius(radius);
  friction_->set_radius(radius);
}

bool IncrementalPotential::contacts_soften(const Points& x, double radius) const {
  const std::span<const double> mass(system_->mass.data(), context_->inertia ? system_->mass.size() : 0);
  return barrier_->softens(x, radius, mass, context_->scale) ||
         (friction_possible_ && friction_->softens(x, radius, mass, context_->scale));
}

double IncrementalPotential::contact_stiffness() const {
  return barrier_->barrier().stiffness;
}

void IncrementalPotential::set_contact_stiffness(double kappa) {
  barrier_->set_barrier({kappa, system_->contact_distance});
}

std::vector<TermForce> IncrementalPotential::forces_by_term(const Points& x) const {
  std::vector<TermForce> terms;
  const auto add = [&](const char* name, auto&& add_gradient) {
    terms.push_back({name, Points::Zero(3, system_->dynamic_count)});
    add_gradient(terms.back().force);
  };
  if (context_->inertia) {
    add("inertia", [&](Points& f) {
      add_inertia_gradient(system_->mass, x, context_->predictor, f);
      f /= -context_->scale;
    });
  } else {
    add("load", [&](Points& f) { f = context_->dead_force; });
  }
  const auto add_energy = [&](const char* name, const Energy& energy) {
    add(name, [&](Points& f) { energy.add_gradient(x, -1, f); });
  };
  add_energy("elastic", *elastic_);
  edge_springs_->add_gradient(x, -1, terms.back().force);
  if (detector_) add_energy("contact", *barrier_);
  if (friction_possible_) add_energy("friction", *friction_);
  if (!springs_->empty()) add_energy("springs", *springs_);
  if (!pressure_->empty()) add_energy("pressure", *pressure_);
  if (!damping_->empty()) add_energy("damping", *damping_);
  return terms;
}

Points IncrementalPotential::elastic_force(const Points& x) const {
  Points f;
  set_zero(f, system_->dynamic_count);
  elastic_->add_gradient(x, -1, f);
  edge_springs_->add_gradient(x, -1, f);
  return f;
}

Points IncrementalPotential::contact_force(const Points& x) const {
  Points f;
  set_zero(f, system_->dynamic_count);
  barrier_->add_force(x, f);
  return f;
}

Points IncrementalPotential::friction_force(const Points& x) const {
  Points f;
  set_zero(f, system_->dynamic_count);
  if (friction_possible_) friction_->add_force(x, f);
  return f;
}

}  // namespace sinew
