#include "sinew/adaptive/adaptive.h"

#include <algorithm>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/multilevel/hierarchy.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

constexpr int most_halvings = 10;  // of the trial step of the active modes
// A candidate is taken in where it alone would decrease the model by this share of what the full-space direction does.
constexpr double mode_share = 0.05;
// No more than this share of the vertices is active because acceptance asked for it: beyond it the steps that estimates
// lead are cheaper than the larger system (measured: adaptive_tube with 5, 25 and 90 %).
constexpr double most_vertices = 0.1;
// What acceptance took in is dropped where it moves by less than this share of the accepted error.
constexpr double dropped_share = 0.25;
// Ends that the stop test does not confirm, after which estimates decide: normal forces may go on changing by more than
// the test allows where the error has long been accepted.
constexpr int most_unconfirmed = 3;
constexpr double same_place = 1e-10;  // of the largest step: below it a vertex has taken the step that it was to take

double largest(std::span<const double> errors) {
  return errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end());
}

}  // namespace

AdaptiveDirection::AdaptiveDirection(std::shared_ptr<const System> system, const Preparation& prepared)
    : system_(std::move(system)),
      settings_(system_->setup.solver.adaptive),
      set_(*system_),
      torn_(prepared.torn ? prepared.torn : std::make_shared<Shared<TornMesh>>()),
      linear_(system_),
      acceptance_(system_, prepared.levels) {
  follow(prepared.library ? set_.take_over(prepared.library, prepared.fixed)
                          : set_.prepare(prescribed_at_start(*system_)));
}

// Regions and the oracle for what is new of the active set.
void AdaptiveDirection::follow(ActiveSet::Renewed renewed) {
  if (renewed == ActiveSet::Renewed::nothing) return;
  const ModeLibrary& library = *set_.library();
  if (renewed == ActiveSet::Renewed::library) {
    regions_ = std::make_unique<RegionHessians>(system_, library.tet_region, library.regions, torn_);
    linear_.set_regions(set_.vertex_region());
  }
  oracle_ = std::make_unique<AdaptiveOracle>(*system_, set_.library(), set_.fixed());
  use_basis();
}

// A changed U_a makes every regional Hessian and the secant of the last step useless (TS, section 3.10).
void AdaptiveDirection::use_basis() {
  regions_->set_basis(set_.basis(), set_.fixed());
  linear_.set_basis(set_.basis(), set_.fixed());
  step_.resize(0);
}

void AdaptiveDirection::adapt(Change change) {
  if (change == Change::materials || change == Change::fibers)  // of a model that no copy has
    torn_ = std::make_shared<Shared<TornMesh>>();
  regions_->adapt(change, torn_);
  acceptance_.adapt(change);
  if (change == Change::materials) oracle_->adapt(*system_);
}

// Begins with the active set of the step before and exact regional Hessians (TS, section 3.9: "re-initialized at the
// start of each time step").
void AdaptiveDirection::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  follow(set_.prepare(context.prescribed));
  set_.begin_step(context);
  regions_->set_time(context.time_end);
  regions_->set_rigid(set_.rigid());
  regions_->forget();
  step_.resize(0);
  linear_.set_mesh(potential.mesh_pattern());
  linear_.begin_step();
  hessian_policy_.begin_step();
  acceptance_.begin_step(context, potential);
  fresh_ = false;
  leads_ = known_ = led_ = false;
  unconfirmed_ = 0;
}

// H += sum_e a h^2 grad^2 Psi_e over tets e with an enriched vertex, g += their gradient. The paper integrates all
// tets of a region exactly as soon as one of its vertices is enriched (section 3.9). Only the tets at that vertex
// enter J and H_x, so the others may keep their secants.
void AdaptiveDirection::add_exact(const Points& x, std::span<const Index> tets, Points& g, SymBlockMatrix& H) {
  if (tets.empty()) return;
  ScopedTimer timer(potential_->assembly_seconds);
  ones_.resize(std::max(ones_.size(), tets.size()), 1.0);
  potential_->elastic().add_derivatives(x, tets, std::span<const double>(ones_.data(), tets.size()), context_->scale,
                                        projection_, g, H);
}

// One iteration of TS, algorithm 1, up to the line search:
//
// 1. H_a: forces and regional Hessians B_l at x, with the secant of the step that led there     (section 3.9).
// 2. g = grad E(x), and the part of the Hessian that is exact: inertia, contact, friction, tets at enriched vertices.
// 3. The oracle takes in vertices and modes with a large error and little progress   (sections 3.6 and 3.7).
// 4. (H_q, J; J^T, H_x)(d_q; d_x) = -(g_q; g_x)                       (section 3.8, equation 19).
// 5. d = B_a d_q + S_a d_x.
//
// Steps 2 to 4 are tried with unprojected elasticity first if hessian_policy_ says that projection costs iterations. If
// a factorisation then fails, they are repeated with projection. The oracle is asked once.
DirectionResult AdaptiveDirection::direction(const Points& x, const Points& drift, Points& g, Points& d) {
  DirectionResult result;
  led_ = leads_;
  if (leads_) return lead(x, g, d);
  AdaptiveReport report;
  const Stopwatch watch;
  const double assembly = potential_->assembly_seconds, collision = potential_->collision_seconds;
  projection_ = hessian_policy_.due() ? Projection::none : Projection::psd;
  // Step 1.
  follow_regions(x, report);
  bool asked = false;  // the oracle
  double error = 0;
  const bool found = hessian_policy_.run([&](Projection projection) {
    if (projection == Projection::psd && projection_ == Projection::none) {
      // Regions with negative eigenvalues are projected too.
      ScopedTimer timer(potential_->assembly_seconds);
      projection_ = projection;
      report.renewed += regions_->evaluate(x, context_->scale, {}, {}, settings_.trust, projection_).renewed;
    }
    // Step 2.
    assemble(x, g);
    if (!g.allFinite()) return false;
    // Step 3.
    if (!asked) {
      const Stopwatch oracle_watch;
      if (!enrich(x, g, report)) return false;
      error = largest(oracle_->vertex_errors());
      report.oracle += oracle_watch.seconds();
      asked = true;
    }
    // Steps 4 and 5, with -g moved by the known displacement of prescribed coordinates.
    free_right_hand_side(H_, set_.fixed(), drift, g, d, rhs_);
    ++result.factorizations;
    if (projection == Projection::psd) ++result.projected_factorizations;
    return solve(d, result, report) && (result.may_stop || projection == Projection::psd);
  });
  if (!found) {
    result.ok = false;
    result.overflow = !g.allFinite() || !finite_diagonal(H_);
    result.reason = result.overflow ? "the Hessian is not finite"
                                    : "the Hessian of the active modes and vertices is not positive definite";
    return result;
  }
  x_ = x.leftCols(system_->dynamic_count);
  d_ = d.leftCols(system_->dynamic_count);
  const Index vertices = set_.enriched_count();
  report.iterations.push_back({vertices, static_cast<Index>(set_.members().size()), error, result.linear_iterations});
  report.share = static_cast<double>(vertices) / std::max<Index>(1, system_->dynamic_count);
  report.exact_tets = static_cast<Index>(regions_->exact_tets().size());
  result.adaptive = std::move(report);
  result.linear_solve_seconds =
      watch.seconds() - (potential_->assembly_seconds - assembly) - (potential_->collision_seconds - collision);
  return result;
}

// Secants s = alpha d_q, y_l = U^T (f_l(x) - f_l(x - s)) of the last step (TS, equation 20). A pair is used once: a
// second try of a direction at the same x has no new information.
void AdaptiveDirection::follow_regions(const Points& x, AdaptiveReport& report) {
  const Stopwatch watch;
  ScopedTimer timer(potential_->assembly_seconds);
  const bool stepped = step_.size() > 0;
  const auto done = regions_->evaluate(x, context_->scale, {step_.data(), static_cast<std::size_t>(step_.size())},
                                       stepped ? std::span<const char>(strayed_) : std::span<const char>(),
                                       settings_.trust, projection_);
  step_.resize(0);  // it is learnt from once
  fresh_ = done.renewed == regions_->region_count();
  report.renewed += done.renewed;
  report.secants += done.updated;
  report.regions += watch.seconds();
}

// Factors H_q and, for the preconditioner, H_x; then Schur PCG (TS, equations 21 and 22). Returns false if a matrix
// is not positive definite.
bool AdaptiveDirection::solve(Points& d, DirectionResult& result, AdaptiveReport& report) {
  const Stopwatch watch;
  const bool definite = linear_.factor();
  report.modes += watch.seconds();
  if (!definite) return false;
  const Stopwatch schur_watch;
  const LinearSolveReport solved =
      linear_.solve(rhs_, settings_.linear_tolerance, system_->setup.solver.linear_iterations, q_, d);
  report.schur += schur_watch.seconds();
  result.linear_iterations += solved.iterations;
  result.may_stop = solved.ok;
  result.reason = solved.reason;
  return true;
}

// g = grad E over all vertices, and
//
//   C = M + a h^2 (Hess B + Hess D + sum_e grad^2 Psi_e over tets e with an enriched vertex).
//
// C has the sparsity of the full mesh, but its blocks are zero away from contacts and enriched vertices; all that
// follows skips zero blocks. `bodies_` is C without contact, which the Schwarz preconditioner needs for its coarse
// level.
void AdaptiveDirection::assemble(const Points& x, Points& g) {
  const bool separate = linear_.wants_bodies(set_.enriched_count());
  potential_->derivatives(
      x, {.projection = projection_, .bodies = separate ? &bodies_ : nullptr, .without_elastic = true}, g, H_);
  regions_->add_gradient(g);
  add_exact(x, regions_->exact_tets(), g, H_);
  if (separate) {
    unused_.setZero(3, system_->dynamic_count);
    add_exact(x, regions_->exact_tets(), unused_, bodies_);
  }
  linear_.set(H_, separate ? &bodies_ : nullptr, projection_ == Projection::none, *regions_, context_->inertia,
              set_.enriched());
}

// True if some G is above its threshold. Progress costs a factorisation, a line search and two sums of energies;
// without a large error its value decides nothing.
bool AdaptiveDirection::needs_progress() const {
  return largest(oracle_->vertex_errors()) > settings_.vertex_error ||
         largest(oracle_->mode_errors()) > settings_.mode_error;
}

// The oracle (TS, section 3.7):
//
// 1. errors G_i, G_s from g                                              (equations 10 and 14).
// 2. d_a = U_a q_a, H_a q_a = -U_a^T g, with all vertices moved by modes  (equation 18).
// 3. line search along d_a: alpha with E(x + alpha d_a) < E(x).
// 4. progress xi_i, xi_s from dE_i = E_i(x) - E_i(x + alpha d_a)         (equations 7, 11 and 15).
// 5. take in what has G > eps_G and xi < eps_xi.
//
// If the modes have no direction (H_a is indefinite), returns false.
bool AdaptiveDirection::enrich(const Points& x, const Points& g, AdaptiveReport& report) {
  // Step 1.
  oracle_->find_errors(g, context_->scale, set_.enriched(), set_.active());
  if (!needs_progress()) return true;
  // Steps 2 to 4. If no alpha decreases E, the modes make no progress: xi = 0.
  rhs_ = -g;
  VecX q;
  if (!linear_.solve_modes_alone(rhs_, q)) return false;
  before_.resize(system_->dynamic_count);
  potential_->vertex_energies(x, before_);
  const double alpha = try_modes(x, q);
  if (alpha == 0) after_ = before_;
  oracle_->find_progress(before_, after_, context_->scale, set_.active());
  if (!activate()) return true;
  // Step 5 has made tets exact that were in a B_l. Their Hessians join C, and the regions that have lost them are
  // formed anew, before the system is solved (TS, section 3.10).
  const std::vector<Index> old(regions_->exact_tets().begin(), regions_->exact_tets().end());
  regions_->set_rigid(set_.rigid());
  std::vector<Index> more;
  std::ranges::set_difference(regions_->exact_tets(), old, std::back_inserter(more));
  {
    ScopedTimer timer(potential_->assembly_seconds);
    report.renewed += regions_->evaluate(x, context_->scale, {}, {}, settings_.trust, projection_).renewed;
  }
  unused_.setZero(3, system_->dynamic_count);
  add_exact(x, more, unused_, H_);
  const bool separate = linear_.has_bodies();
  if (separate) add_exact(x, more, unused_, bodies_);
  linear_.set(H_, separate ? &bodies_ : nullptr, projection_ == Projection::none, *regions_, context_->inertia,
              set_.enriched());
  return true;
}

// d_a <- alpha d_a (TS, section 3.7): alpha from the step filter, then halved until E decreases. Plain decrease is
// enough, since d_a is not taken: only the energies around each vertex are kept. Returns alpha, 0 if none was found.
double AdaptiveDirection::try_modes(const Points& x, const VecX& q) {
  linear_.lift(q, u_);
  Points displacement = Points::Zero(3, x.cols());
  displacement.leftCols(system_->dynamic_count) = u_;
  potential_->complete(displacement);
  const std::vector<PlaneState> planes = potential_->contact().planes();
  const double E = potential_->value(x).total();
  double alpha = potential_->max_step(x, displacement, planes);
  bool found = false;
  for (int halving = 0; halving <= most_halvings && !found; ++halving, alpha *= found ? 1 : 0.5) {
    const Points trial = x + alpha * displacement;
    potential_->follow_contacts(trial, planes);
    found = potential_->value(trial).total() < E;
    if (!found) continue;
    after_.resize(system_->dynamic_count);
    potential_->vertex_energies(trial, after_);
  }
  potential_->follow_contacts(x, planes);
  return found ? alpha : 0;
}

// TS, section 3.7: activate if G > eps_G and xi < eps_xi. A large error with much progress needs no enrichment,
// because the active modes are about to remove it (the sliding cube of TS, figure 5). A vertex brings its METIS
// region, so that the number of activations does not grow with the mesh (section 3.6).
bool AdaptiveDirection::activate() {
  bool more_vertices = false, more_modes = false;
  const std::vector<Index>& region = set_.vertex_region();
  std::vector<char> wanted(set_.region_count(), 0);
  for (std::size_t i = 0; i < region.size(); ++i)
    if (!set_.enriched()[i] && oracle_->vertex_errors()[i] > settings_.vertex_error &&
        oracle_->vertex_progress()[i] < settings_.progress)
      wanted[region[i]] = 1;
  for (std::size_t l = 0; l < wanted.size(); ++l)
    if (wanted[l] && set_.enrich_region(static_cast<Index>(l))) more_vertices = true;
  for (std::size_t h = 0; h < set_.active().size(); ++h) {
    if (set_.active()[h] ||
        !(oracle_->mode_errors()[h] > settings_.mode_error && oracle_->mode_progress()[h] < settings_.progress))
      continue;
    set_.activate(h);
    more_modes = true;
  }
  if (more_modes) {
    set_.collect();
    use_basis();
  }
  return more_vertices || more_modes;
}

// Simplified Newton correction -H^{-1} g(x + d) with the factors of the last direction: one PCG, no assembly.
DirectionResult AdaptiveDirection::correction(const Points&, const Points& g, Points& d) {
  DirectionResult result;
  if (led_) {
    result.ok = false;  // the next estimate does it
    return result;
  }
  const Stopwatch watch;
  set_free(g, set_.fixed(), rhs_);
  VecX q;
  const LinearSolveReport report =
      linear_.solve(rhs_, settings_.linear_tolerance, system_->setup.solver.linear_iterations, q, d);
  result.linear_iterations = report.iterations;
  result.may_stop = report.ok;
  result.reason = report.reason;
  result.linear_solve_seconds = watch.seconds();
  result.adaptive.emplace().schur = result.linear_solve_seconds;
  return result;
}

// Books the step s = alpha d_q: of the next secants, and of the sum over the time step, from which modes are dropped at
// the end.
//
// A secant is right only for vertices that moved by alpha d. Bodies that turn along arcs (potential/body_arcs.h) did
// not, and their regions are formed anew.
void AdaptiveDirection::accepted(const Points& x, double alpha, double) {
  x_end_ = x.leftCols(system_->dynamic_count);
  if (led_) {
    step_.resize(0);
    acceptance_.took(alpha);
    return;
  }
  hessian_policy_.took(alpha);
  if (!(alpha > 0)) {
    step_.resize(0);
    return;
  }
  step_ = alpha * q_;
  set_.add(step_);
  const Index n = system_->dynamic_count;
  const double length = parallel_max(n, 0.0, [&](std::size_t i) { return alpha * d_.col(i).norm(); });
  const double reach = parallel_max(n, 0.0, [&](std::size_t i) { return x_.col(i).cwiseAbs().maxCoeff(); });
  strayed_.resize(n);
  parallel_for(
      n,
      [&](std::size_t i) {
        const double off = (x.col(i) - x_.col(i) - alpha * d_.col(i)).norm();
        strayed_[i] = !(off <= same_place * length + 1e-14 * reach);
      },
      4096);
}

// Where a secant Hessian gave a direction of no use, an exact one is worth a try.
bool AdaptiveDirection::retry() {
  if (led_) {
    leads_ = false;
    unconfirmed_ = 0;
    return true;
  }
  if (fresh_) return false;
  regions_->forget();
  return true;
}

bool AdaptiveDirection::confirm() {
  if (settings_.accept_by_estimate && !led_ && ++unconfirmed_ > most_unconfirmed) leads_ = true;
  return true;
}

// Called where the iterations would end. A refused step takes in what d asks for, which serves the steps to come;
// this one goes on along the estimates.
Acceptance AdaptiveDirection::accept(const Points& x, Points& g, Points& d) {
  if (!settings_.accept_by_estimate) return {};
  Acceptance acceptance = acceptance_.judge(x);
  if (!acceptance.work.ok) return acceptance;
  if (!acceptance.accepted) {
    if (!leads_) take_in(*acceptance.work.adaptive);
    leads_ = known_ = true;
    return acceptance;
  }
  acceptance.corrected = acceptance.error->estimate > acceptance_.worth();
  if (acceptance.corrected) {
    led_ = true;
    g = acceptance_.gradient();
    d = acceptance_.direction();
  }
  return acceptance;
}

// After a refusal the estimates lead on, as Newton's directions in full space, until one of them is accepted: the
// subspace has no more to give in this step.
DirectionResult AdaptiveDirection::lead(const Points& x, Points& g, Points& d) {
  DirectionResult result;
  if (!known_) {
    Acceptance acceptance = acceptance_.judge(x);
    result = std::move(acceptance.work);
    if (!result.ok) return result;
    result.last = acceptance.accepted;
    result.error = acceptance.error;
  }
  known_ = false;
  g = acceptance_.gradient();
  for (Index i = 0; i < system_->dynamic_count; ++i)
    for (int k = 0; k < 3; ++k)
      if (!set_.fixed()[3 * static_cast<std::size_t>(i) + k]) d(k, i) = acceptance_.direction()(k, i);
  return result;
}

// What the full-space direction of the estimate asks for: modes first, then vertices that these do not move far enough.
void AdaptiveDirection::take_in(AdaptiveReport& report) {
  if (take_in_modes(report)) {
    set_.collect();
    use_basis();
  }
  if (take_in_vertices(report)) regions_->set_rigid(set_.rigid());
}

// Takes in candidate s if it alone would achieve the share mode_share of the decrease that the full-space d achieves:
//
//   g_s^T (U_s^T H U_s)^{-1} g_s >= mode_share (-g^T d),   g_s = U_s^T g.
//
// Both sides are twice the decrease of the quadratic model g^T d + d^T H d / 2.
bool AdaptiveDirection::take_in_modes(AdaptiveReport& report) {
  const std::vector<char>&active = set_.active(), &fixed = set_.fixed();
  if (std::find(active.begin(), active.end(), 0) == active.end()) return false;
  const Points &g = acceptance_.gradient(), &d = acceptance_.direction();
  const double whole = -parallel_sum(system_->dynamic_count, [&](std::size_t i) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
      if (!fixed[3 * i + k]) sum += g(k, i) * d(k, i);
    return sum;
  });
  if (!(whole > 0)) return false;
  const std::vector<double> decrease = oracle_->decreases(g, acceptance_.estimator().hessian(), active);
  bool more = false;
  for (std::size_t s = 0; s < active.size(); ++s) {
    if (active[s] || !(decrease[s] >= mode_share * whole)) continue;
    set_.activate_asked(s);
    ++report.asked_handles;
    more = true;
  }
  return more;
}

// Takes in vertices i with |d_i - u_i| above the accepted error of their body, where u = U_a q is closest to d in the
// metric of mass. A larger set than most_vertices is not taken in: a full-space step is then cheaper than the system.
bool AdaptiveDirection::take_in_vertices(AdaptiveReport& report) {
  const Points& d = acceptance_.direction();
  const std::vector<char>& fixed = set_.fixed();
  linear_.fit(d, u_);
  std::vector<Index> wanted;
  Index free = 0, asked = 0;
  for (Index i = 0; i < system_->dynamic_count; ++i) {
    const std::size_t c = 3 * static_cast<std::size_t>(i);
    if (fixed[c] && fixed[c + 1] && fixed[c + 2]) continue;
    ++free;
    asked += set_.asked_vertices()[i] != 0;
    const double level = acceptance_.level(system_->vertex_body[i]);
    if (!set_.rigid()[i] && (d.col(i) - u_.col(i)).norm() > level) wanted.push_back(i);
  }
  if (wanted.empty() || asked + static_cast<double>(wanted.size()) > most_vertices * free) return false;
  set_.enrich_asked(wanted);
  report.asked_vertices += static_cast<Index>(wanted.size());
  return true;
}

// Drops what hardly moved in the step (TS, section 3.11): by less than eps_d l h, with eps_d in 1/s and the scene's
// diagonal l. What acceptance took in is held to dropped_share of the accepted error: by eps_d alone it would be
// dropped and taken in again in each step.
void AdaptiveDirection::end_step() {
  ended_ = {};
  if (!(settings_.drop_rate > 0)) return;
  const double usual = settings_.drop_rate * system_->diagonal * context_->step;
  const double asked = std::min(usual, dropped_share * acceptance_.least_level());
  const ActiveSet::Dropped dropped = set_.drop_unused(*context_, x_end_, usual, asked);
  ended_.dropped_handles = dropped.handles;
  ended_.dropped_vertices = dropped.vertices;
  if (dropped.handles > 0) use_basis();
}

// The active set affects the bits of later steps, so that it is part of the checkpoint; all else begins anew in a
// step.
void AdaptiveDirection::share(Preparation& prepared) const {
  prepared.library = set_.library();
  prepared.levels = acceptance_.levels();
  prepared.torn = torn_;
  prepared.fixed = set_.fixed();
}

void AdaptiveDirection::save(ArchiveWriter& archive) const {
  set_.save(archive);
}

void AdaptiveDirection::load(const ArchiveReader& archive) {
  follow(set_.load(archive));
}

std::unique_ptr<FullSpaceDirection> make_adaptive(std::shared_ptr<const System> system, const Preparation& prepared) {
  return std::make_unique<AdaptiveDirection>(std::move(system), prepared);
}

}  // namespace sinew
