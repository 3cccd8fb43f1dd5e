#include "sinew/potential/incremental_potential.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/core/sort_unique.h"
#include "sinew/core/timer.h"
#include "sinew/model/muscle.h"
#include "sinew/potential/damping.h"
#include "sinew/potential/edge_springs.h"
#include "sinew/potential/inertia.h"
#include "sinew/potential/inversion_filter.h"
#include "sinew/potential/load_energy.h"
#include "sinew/potential/spin_energy.h"
#include "sinew/potential/stretch_limit.h"
#include "sinew/potential/vertex_terms.h"

namespace sinew {
namespace {

void set_zero(Points& g, Index n) {
  g.resize(3, n);
  parallel_for(
      n, [&](std::size_t i) { g.col(i).setZero(); }, 4096);
}

void clear(const std::shared_ptr<const BlockPattern>& pattern, SymBlockMatrix& H) {
  if (H.shared_pattern() != pattern) {
    H.set_pattern(pattern);  // zero as well
  } else {
    H.set_zero();
  }
}

// The blocks that the elastic energy touches.
void collect_tet_pairs(const System& system, std::vector<std::pair<Index, Index>>& pairs) {
  for (Index t = 0; t < system.elastic_tet_count(); ++t)
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j) pairs.push_back(std::minmax(system.tets(i, t), system.tets(j, t)));
}

// By vertex of the bodies what inertia resists a force there with. A vertex that follows others has 1 / sum_v w_v^2 /
// m_v: a force f on it pulls by w_v f at each, which accelerate by w_v f / m_v and move it by w_v times that.
std::vector<double> effective_masses(const System& system) {
  std::vector<double> mass = system.mass;
  for (Index i = system.dynamic_count; i < system.body_vertex_count(); ++i) {
    double inverse = 0;
    for (const Embedding::Entry& entry : system.embedding.row(i))
      inverse += entry.weight * entry.weight / system.mass[entry.vertex];
    mass.push_back(1 / inverse);
  }
  return mass;
}

}  // namespace

// E(x) = 1/2 |x - x~|_M^2 + a h^2 (Psi + springs + pressure + damping + B + D) (SMS, equation 2; theory, section 2),
// as a list of terms. a h^2 is `scale`. Terms over the mesh fix the pattern of the Hessian. Contact terms come last,
// so that the Hessian of bodies alone is what has been summed before them.
IncrementalPotential::IncrementalPotential(std::shared_ptr<const System> system, const PotentialParts& parts)
    : system_(std::move(system)), islands_(*system_) {
  const System& s = *system_;
  if (parts.elastic) {
    auto elastic = std::make_unique<ElasticEnergy>(s);
    elastic_ = elastic.get();
    owned_.push_back(std::move(elastic));
  } else {
    collect_tet_pairs(s, pairs_);
  }
  auto edge_springs = std::make_unique<EdgeSpringEnergy>(s);
  edge_springs_ = edge_springs.get();
  owned_.push_back(std::move(edge_springs));
  owned_.push_back(std::make_unique<InertiaEnergy>(s));
  owned_.push_back(std::make_unique<DeadLoadEnergy>());
  if (s.setup.spin) owned_.push_back(std::make_unique<SpinEnergy>(s));
  const std::size_t first_of_points = owned_.size();
  for (const VertexTerm& term : vertex_terms()) {
    owned_.push_back(term.make(s));
    if (const auto* load = dynamic_cast<const LoadEnergy*>(owned_.back().get())) load_terms_.push_back(load);
  }
  const std::size_t end_of_points = owned_.size();
  auto pseudo_inertia = std::make_unique<PseudoInertiaEnergy>();
  pseudo_inertia_ = pseudo_inertia.get();
  owned_.push_back(std::move(pseudo_inertia));
  // Blocks of H: those of the terms over coordinates, then, for terms over points y = W x, those of W^T H W.
  for (const auto& term : owned_) term->collect_pairs(pairs_);
  if (has_followers()) add_follower_pairs(first_of_points, end_of_points);
  add_tied_pairs_of_mesh();
  mesh_pattern_ = make_pattern(s.dynamic_count, pairs_);
  std::vector<std::pair<Index, Index>>().swap(pairs_);  // the largest it ever gets: give it back
  pattern_ = mesh_pattern_;
  owned_.push_back(std::make_unique<DampingEnergy>(s, elastic_, mesh_pattern_));
  for (const auto& term : owned_) terms_.push_back(term.get());
  body_terms_ = terms_.size();
  contact_ = parts.contact ? make_contact_model(s) : make_no_contact();
  terms_.push_back(&contact_->normal());
  terms_.push_back(&contact_->friction());
  of_points_.assign(terms_.size(), 0);
  for (std::size_t t = 0; t < terms_.size() && has_followers(); ++t)
    of_points_[t] = (t >= first_of_points && t < end_of_points) || t >= body_terms_;
  find_loaded_followers();
}

// Followers on which terms over points act whatever touches.
void IncrementalPotential::find_loaded_followers() {
  if (!has_followers()) return;
  loaded_followers_.clear();
  for (const VertexTerm& term : vertex_terms())
    for (const Index v : term.vertices(*system_))
      if (system_->embedding.follows(v)) loaded_followers_.push_back(v);
  point_mass_ = effective_masses(*system_);
}

// The blocks of the terms over points by all vertices of bodies, and what W^T H W has for them: with the vertices that
// one follower follows, since a single one may be touched.
void IncrementalPotential::add_follower_pairs(std::size_t first, std::size_t end) {
  const System& s = *system_;
  std::vector<std::pair<Index, Index>> of_points;
  for (std::size_t t = first; t < end; ++t) owned_[t]->collect_pairs(of_points);
  own_point_pattern_ = point_pattern_ = make_pattern(s.body_vertex_count(), of_points);
  expand_pairs(s.embedding, pairs_);
  for (Index v = s.dynamic_count; v < s.body_vertex_count(); ++v)
    for (const Embedding::Entry& a : s.embedding.row(v))
      for (const Embedding::Entry& b : s.embedding.row(v))
        if (a.vertex < b.vertex) pairs_.emplace_back(a.vertex, b.vertex);
  sort_unique(pairs_);
}

// Whatever ties hold: step by step from what is tied to what it follows, which may be tied by itself.
void IncrementalPotential::add_tied_pairs_of_mesh() {
  if (!system_->tied) return;
  std::vector<Embedding> steps;
  for (const Tie& tie : system_->ties) steps.emplace_back(tie.vertices, tie.rows);
  sort_unique(pairs_);
  for (std::size_t before = 0; before != pairs_.size();) {
    before = pairs_.size();
    for (const Embedding& step : steps) add_tied_pairs(step, pairs_);
    sort_unique(pairs_);
  }
}

IncrementalPotential::~IncrementalPotential() = default;

void IncrementalPotential::adapt(Change change) {
  for (Energy* term : terms_) term->adapt(change);
  contact_->adapt(change);
  if (change == Change::materials || change == Change::fibers)
    if (elastic_ && context_ && moves_fibers(*system_)) elastic_->begin_step(*context_);
  find_loaded_followers();
}

// Nothing that influences bits outlives a step, so that a resumed run repeats them.
void IncrementalPotential::begin_step(const StepContext& context, double contact_stiffness) {
  context_ = &context;
  for (Energy* term : terms_) term->begin_step(context);
  // Nothing that influences bits outlives a step, so that a resumed run repeats them.
  pattern_ = mesh_pattern_;
  point_pattern_ = own_point_pattern_;
  ScopedTimer timer(collision_seconds);
  contact_->begin_step(context, contact_stiffness);
}

// Active contacts at x and the planes there.
void IncrementalPotential::set_contacts(const Points& x, const std::vector<PlaneState>& planes) {
  ScopedTimer timer(collision_seconds);
  contact_->find(x, planes);
}

void IncrementalPotential::follow_contacts(const Points& x, const std::vector<PlaneState>& planes) {
  ScopedTimer timer(collision_seconds);
  contact_->follow(x, planes);
}

// Friction forces, and pressure on open patches, with the values at x.
void IncrementalPotential::update_lagged(const Points& x, double share) {
  for (Energy* term : terms_)
    if (term->lags()) term->lag(x);
  contact_->lag(x, share);
}

// Friction with the normal forces that the direction leads to; of E only its own part changes.
bool IncrementalPotential::lag_friction_ahead(const Points& x, double tolerance, PotentialValue& E) {
  if (!contact_->lag_ahead(x, tolerance)) return false;
  const Energy& friction = contact_->friction();
  E[EnergyKind::friction] = friction.empty() ? 0 : weight(friction) * friction.value(x);
  return true;
}

// The change of each term's lagged forces and their size, summed.
LaggingChange IncrementalPotential::lagging(const Points& x) const {
  LaggingChange sum;
  for (const Energy* term : terms_) {
    const LaggingChange one = term->lagging_change(x);
    sum.change += one.change;
    sum.size += one.size;
  }
  return sum;
}

// |f(x) - f_lagged| / |f(x)| of all lagged forces.
double IncrementalPotential::lagging_change(const Points& x) const {
  const LaggingChange sum = lagging(x);
  return sum.size > 0 ? sum.change / sum.size : 0;
}

// What a term counts in E.
double IncrementalPotential::weight(const Energy& term) const {
  const bool contact = &term == &contact_->normal() || &term == &contact_->friction();
  return contact ? context_->contact_scale() : term.weight(context_->scale);
}

// E by kinds of terms, so that a report can tell them apart.
PotentialValue IncrementalPotential::value(const Points& x) const {
  PotentialValue E;
  for (const Energy* term : terms_)
    if (!term->empty()) E[term->kind()] += weight(*term) * term->value(x);
  return E;
}

// E_i = sum over the stencils at vertex i (TS, section 3.4).
void IncrementalPotential::vertex_energies(const Points& x, std::span<double> values) const {
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (!terms_[t]->empty() && !of_points_[t]) terms_[t]->add_vertex_energies(x, weight(*terms_[t]), values);
  if (!has_followers()) return;
  // A stencil counts in full at each vertex that moves it.
  const System& s = *system_;
  point_energies_.assign(s.body_vertex_count(), 0.0);
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (!terms_[t]->empty() && of_points_[t]) terms_[t]->add_vertex_energies(x, weight(*terms_[t]), point_energies_);
  for (Index v = 0; v < s.body_vertex_count(); ++v)
    if (point_energies_[v] != 0)
      s.embedding.for_each(v, [&](Index followed, double w) { values[followed] += w != 0 ? point_energies_[v] : 0; });
}

// Bound of the rounding error of E, eps the machine epsilon, from four sources:
//
// 1. Sums lose 1e-14 of the magnitudes of their terms.
// 2. F has an error of some eps, which stress turns into energy. By Cauchy and Schwarz, with |P|^2 of about 2 E_e W,
//
//      eps sum_e V_e |P_e| <= eps sqrt(2 Psi sum_e V_e E_e).
//
// 3. A gap has an error of eps times the size X of positions, which contact forces turn into energy: eps X sum
//    lambda.
// 4. Terms whose products cancel tell their own (Energy::value_rounding).
double IncrementalPotential::value_rounding(const Points& x, const PotentialValue& E) const {
  constexpr double eps = std::numeric_limits<double>::epsilon(), sums = 1e-14;
  double stiffness = 0;  // [J]
  for (const SystemBody& body : system_->bodies) stiffness += body.stiffness;
  const double elastic = 16 * eps * std::sqrt(2 * std::abs(E[EnergyKind::elastic]) * context_->scale * stiffness);
  double contact = 0;
  if (!contact_->contacts().empty()) {
    const auto size = [&](std::size_t i) { return x.col(i).cwiseAbs().maxCoeff(); };
    const auto obstacles = static_cast<std::size_t>(system_->body_vertex_count());  // followers are where others are
    const double reach = std::max(
        extent(x), parallel_max(x.cols() - obstacles, 0.0, [&](std::size_t i) { return size(obstacles + i); }));
    contact = 16 * eps * context_->contact_scale() * contact_->total_force(x) * reach;
  }
  double others = 0;
  for (const auto& term : terms_)
    if (!term->empty()) others += weight(*term) * term->value_rounding(x);
  return sums * E.magnitude() + elastic + contact + others;
}

// g = sum of the terms' gradients, those over points through what follows what: g += W^T g_points.
void IncrementalPotential::gradient(const Points& x, Points& g) const {
  gradient_by_all(x, g);
  condense(g);
}

// g = grad E by all vertices with equations, as if no tie held: where followers of W (model/embedding.h) are, by what
// they follow.
void IncrementalPotential::gradient_by_all(const Points& x, Points& g) const {
  set_zero(g, system_->dynamic_count);
  begin_point_sum();
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (!terms_[t]->empty()) terms_[t]->add_gradient(x, weight(*terms_[t]), of_points_[t] ? g_points_ : g);
  add_from_points(g);
}

// g <- P^T g, P by the ties of the step.
void IncrementalPotential::condense(Points& g) const {
  if (!ties()) return;
  ties()->pull_back(g, g);
  for (const Index tied : ties()->followers()) g.col(tied).setZero();
}

// Before sums of terms over points: g_points_ is zero, and acting_ has the followers on which one may act now.
void IncrementalPotential::begin_point_sum() const {
  if (!has_followers()) return;
  const Index rows = system_->body_vertex_count();
  if (g_points_.cols() != rows) set_zero(g_points_, rows);
  acting_.reset(rows);
  for (const Index v : loaded_followers_) acting_.insert(v);
  contact_->for_each_vertex([&](Index v) {
    if (system_->embedding.follows(v)) acting_.insert(v);
  });
}

// g (3 x dynamic_count) += W^T g_points_, which is zero then.
void IncrementalPotential::add_from_points(Points& g) const {
  if (!has_followers()) return;
  parallel_for(
      system_->dynamic_count,
      [&](std::size_t i) {
        g.col(i) += g_points_.col(i);
        g_points_.col(i).setZero();
      },
      4096);
  acting_.for_each([&](Index v) {
    const Vec3 f = g_points_.col(v);
    for (const Embedding::Entry& entry : system_->embedding.row(v)) g.col(entry.vertex) += entry.weight * f;
    g_points_.col(v).setZero();
  });
}

// g += scale grad of term t: W^T of it where it is one over all points of bodies, then P^T where vertices are tied
// (theory, section 1).
void IncrementalPotential::add_term_gradient(std::size_t t, const Points& x, double scale, Points& g) const {
  if (!of_points_[t]) {
    terms_[t]->add_gradient(x, scale, g);
  } else {
    begin_point_sum();
    terms_[t]->add_gradient(x, scale, g_points_);
    add_from_points(g);
  }
  condense(g);
}

// g += a h^2 grad B with the set of contacts as it is: what L-BFGS takes out of its pairs where the set changes
// (theory, section 7).
void IncrementalPotential::add_contact_gradient(const Points& x, const std::vector<PlaneState>& planes, Points& g) {
  if (!has_followers()) {
    contact_->add_gradient(x, planes, context_->contact_scale(), g);
  } else {
    begin_point_sum();
    contact_->add_gradient(x, planes, context_->contact_scale(), g_points_);
    add_from_points(g);
  }
  condense(g);
}

// Pattern of H: that of the mesh and of the contact pairs. It grows by new pairs, and drops old ones only when they
// outnumber the present ones: a symbolic factorisation serves as long as the pattern is the same object.
std::shared_ptr<const BlockPattern> IncrementalPotential::pattern() {
  pairs_.clear();
  contact_->collect_pairs(pairs_);
  if (has_followers()) {
    if (!point_pattern_->contains(pairs_)) point_pattern_ = extend_pattern(*own_point_pattern_, pairs_);
    expand_pairs(system_->embedding, pairs_);
  }
  if (ties()) add_tied_pairs(*ties(), pairs_);
  if (!pattern_->contains(pairs_)) {
    // Contacts come and go between iterations: a pattern that only grows within a step is analysed a few times a step.
    const auto growth = [&] { return pattern_->block_count() - mesh_pattern_->block_count(); };
    const bool crowded = growth() > 2 * static_cast<std::int64_t>(pairs_.size());
    pattern_ = extend_pattern(crowded ? *mesh_pattern_ : *pattern_, pairs_);
  }
  return pattern_;
}

// g and H in one pass over the terms. The elastic Hessian has three sources: all tets at x; a weighted list of tets
// (SMS, section 3.8); or a given matrix (SMS, section 3.7.2, "Hessian Lagging"). Its gradient is always that at x.
void IncrementalPotential::derivatives(const Points& x, const HessianParts& parts, Points& g, SymBlockMatrix& H) {
  ScopedTimer timer(assembly_seconds);
  clear(pattern(), H);
  set_zero(g, system_->dynamic_count);
  begin_point_sum();
  if (has_followers() && H_points_.shared_pattern() != point_pattern_) H_points_.set_pattern(point_pattern_);
  const double scale = context_->scale;
  for (std::size_t t = 0; t < terms_.size(); ++t) {
    const Energy& term = *terms_[t];
    if (t == body_terms_ && parts.bodies) {
      add_from_points(g, H);
      *parts.bodies = H;
      tied_.condense(context_->ties, *parts.bodies);
    }
    if (term.empty() || (&term == edge_springs_ && parts.elastic)) continue;  // parts.elastic includes them
    if (&term == elastic_ && parts.without_elastic) continue;
    if (&term != elastic_ || (!parts.elastic && parts.tets.empty())) {
      const bool points = of_points_[t];
      term.add_derivatives(x, weight(term), parts.projection, points ? g_points_ : g, points ? H_points_ : H);
    } else if (parts.elastic) {
      elastic_->add_gradient(x, scale, g);
      edge_springs_->add_gradient(x, scale, g);
      H.add(*parts.elastic);
    } else {
      elastic_->add_derivatives(x, parts.tets, parts.weights, scale, parts.projection, g, H);
    }
  }
  add_from_points(g, H);
  condense(g);
  tied_.condense(context_->ties, H);
}

// g += W^T g_points_ and H += W^T H_points_ W, which are zero then.
void IncrementalPotential::add_from_points(Points& g, SymBlockMatrix& H) {
  if (!has_followers()) return;
  add_from_points(g);
  embedded_.add(system_->embedding, acting_, H_points_, H);
}

// K alone, over the pattern of the mesh: for lagging (SMS, section 3.7.2), damping and scales.
void IncrementalPotential::elastic_hessian(const Points& x, Projection projection, SymBlockMatrix& K) {
  ScopedTimer timer(assembly_seconds);
  clear(mesh_pattern_, K);
  set_zero(unused_gradient_, system_->dynamic_count);
  elastic_->add_derivatives(x, context_->scale, projection, unused_gradient_, K);
  edge_springs_->add_derivatives(x, context_->scale, projection, unused_gradient_, K);
}

void IncrementalPotential::elastic_hessian_at_rest(SymBlockMatrix& K) {
  if (moves_fibers(*system_)) elastic_->adapt(Change::fibers);  // at the start, so that it is the same in all steps
  const bool had_states = elastic_->set_states(false);
  elastic_hessian(system_->rest, Projection::psd, K);
  elastic_->set_states(had_states);
  if (elastic_ && context_ && moves_fibers(*system_)) elastic_->begin_step(*context_);
}

// Step filter (theory, section 3): the smallest of the steps that keep J > 0, edges below their limits, and primitives
// apart.
double IncrementalPotential::max_step(const Points& x, const Points& d, const std::vector<PlaneState>& planes_step) {
  ScopedTimer timer(collision_seconds);
  const double inversion = inversion_step(*system_, x, d);
  const double stretch = stretch_step(*system_, x, d);
  const double contact = contact_->max_step(x, d, contact_->planes(), planes_step);
  const double step = std::min({inversion, stretch, contact});
  step_limit_ = step == 1           ? StepLimit::none
                : step == inversion ? StepLimit::inversion
                : step == stretch   ? StepLimit::stretch
                                    : StepLimit::contact;
  return step;
}

// max |x_i|, the size of the numbers that round.
double IncrementalPotential::extent(const Points& x) const {
  return parallel_max(columns(), 0.0, [&](std::size_t i) { return x.col(i).cwiseAbs().maxCoeff(); });
}

// g . d.
double IncrementalPotential::slope(const Points& g, const Points& d) const {
  return parallel_sum(columns(), [&](std::size_t i) { return g.col(i).dot(d.col(i)); });
}

// Speeds of the step so far, (x - x_t) / h.
StepNorms IncrementalPotential::motion(const Points& x) const {
  difference_ = x.leftCols(columns()) - context_->start.leftCols(columns());
  return norms(difference_);
}

// Arcs or straight lines, body by body, for all trials of a search (potential/body_arcs.h).
void IncrementalPotential::begin_search(const Points& x, const Points& d, double slope) {
  if (!arcs_) arcs_.emplace(*system_);
  arcs_->split(x, d, *context_, slope);
}

// x + alpha d, or the point of the arcs. Arcs leave the line that the filter has checked, so that they are filtered
// again.
bool IncrementalPotential::retract(const Points& x, const Points& d, double alpha,
                                   const std::vector<PlaneState>& planes_trial, Points& trial) {
  trial.resize(3, x.cols());
  if (!arcs_->any()) {
    parallel_for(
        x.cols(), [&](std::size_t i) { trial.col(i) = x.col(i) + alpha * d.col(i); }, 4096);
    return true;
  }
  moved_.resize(3, x.cols());
  parallel_for(
      x.cols(), [&](std::size_t i) { moved_.col(i) = alpha * d.col(i); }, 4096);
  arcs_->bend(x, d, alpha, moved_);
  complete(moved_);
  if (max_step(x, moved_, planes_trial) < 1) return false;
  parallel_for(
      x.cols(), [&](std::size_t i) { trial.col(i) = x.col(i) + moved_.col(i); }, 4096);
  return true;
}

// -grad of the terms of one kind [N], for output.
Points IncrementalPotential::force(EnergyKind kind, const Points& x) const {
  Points f;
  set_zero(f, system_->dynamic_count);
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (terms_[t]->kind() == kind && !terms_[t]->empty()) add_term_gradient(t, x, -1, f);
  return f;
}

// The same before W^T: where it acts, on followers too, as contact reports and sensors show it.
Points IncrementalPotential::force_on_points(EnergyKind kind, const Points& x) const {
  Points f, own;
  set_zero(f, system_->body_vertex_count());
  set_zero(own, system_->dynamic_count);
  for (std::size_t t = 0; t < terms_.size(); ++t)
    if (terms_[t]->kind() == kind && !terms_[t]->empty()) terms_[t]->add_gradient(x, -1, of_points_[t] ? f : own);
  f.leftCols(own.cols()) += own;
  return f;
}

}  // namespace sinew
