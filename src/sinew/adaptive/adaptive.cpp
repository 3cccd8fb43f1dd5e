#include "sinew/adaptive/adaptive.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/core/error.h"
#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/multilevel/hierarchy.h"
#include "sinew/solver/constrained_system.h"
#include "sinew/solver/motion_tolerance.h"
#include "sinew/subspace/handle_scalars.h"

namespace sinew {
namespace {

constexpr int most_halvings = 10;  // of the trial step of the active modes
// A candidate is taken in where it alone would decrease the model by this share of what the full-space direction does.
constexpr double mode_share = 0.05;
// No more than this share of the vertices is active because acceptance asked for it: beyond it the steps that estimates
// lead are cheaper than the larger system (measured: adaptive_tube with 5, 25 and 90 %).
constexpr double most_vertices = 0.1;
// Last steps are taken from this share of the accuracy on, and from a share of the tolerance. Errors below them could
// not add up to much. Motions far below the tolerance would else not be followed at all.
constexpr double worth_a_step = 0.1, worth_of_tolerance = 1e-3;
// What acceptance took in is dropped where it moves by less than this share of the accepted error.
constexpr double dropped_share = 0.25;
// Flags of what acceptance took in: in the present step, which goes on in full space and does not move it, or before.
constexpr char asked_now = 2, asked_before = 1;
// Estimates that shrink no faster than this from one full step to the next count as if they did.
constexpr double slowest = 0.9;
// Ends that the stop test does not confirm, after which estimates decide: normal forces may go on changing by more than
// the test allows where the error has long been accepted.
constexpr int most_unconfirmed = 3;
// Accepted estimates in statics after which forces that come no nearer to balance are rounding; as in stop_test.cpp.
constexpr int most_unbalanced = 5;
constexpr double same_place = 1e-10;  // of the largest step: below it a vertex has taken the step that it was to take

double largest(std::span<const double> errors) {
  return errors.empty() ? 0 : *std::max_element(errors.begin(), errors.end());
}

}  // namespace

AdaptiveDirection::AdaptiveDirection(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      settings_(system_->setup.solver.adaptive),
      linear_(system_),
      balance_(system_->setup.solver.force_tolerance) {
  build(prescribed_at_start(*system_));
}

// Library, regions and flags of what is active, for the prescribed coordinates of a step. The functions of the
// library vanish at vertices whose three axes are prescribed, so that other such vertices need another library; the
// active set then starts anew. The active set otherwise outlives steps (TS, section 3.6: each step begins with U_a
// and X_a of the one before).
void AdaptiveDirection::build(const std::vector<char>& fixed) {
  const Index n = system_->dynamic_count;
  std::vector<char> fixed_vertices(n);
  for (Index i = 0; i < n; ++i) fixed_vertices[i] = fixed[3 * i] && fixed[3 * i + 1] && fixed[3 * i + 2];
  const bool same = library_ && fixed_vertices == fixed_vertices_, same_axes = fixed == fixed_;
  fixed_ = fixed;
  if (same && same_axes) return;
  if (!same) {
    library_ = make_mode_library(*system_, fixed_);
    fixed_vertices_ = std::move(fixed_vertices);
    regions_ = std::make_unique<RegionHessians>(system_, library_->tet_region, library_->regions);
    // A vertex belongs to the first region of its tets.
    vertex_region_.assign(n, library_->regions);
    for (Index t = 0; t < system_->tet_count(); ++t)
      for (int k = 0; k < 4; ++k) {
        Index& region = vertex_region_[system_->tets(k, t)];
        region = std::min(region, library_->tet_region[t]);
      }
    linear_.set_regions(vertex_region_);
    region_vertices_.assign(library_->regions, {});
    for (Index i = 0; i < n; ++i)
      if (vertex_region_[i] < library_->regions) region_vertices_[vertex_region_[i]].push_back(i);
    active_.assign(library_->candidate_count(), 0);
    std::fill_n(active_.begin(), library_->initial, 1);
    enriched_.assign(n, 0);
    asked_modes_.assign(library_->candidate_count(), 0);
    asked_vertices_.assign(n, 0);
    total_q_.assign(12 * library_->handles.center.size() + library_->mode_count(), 0.0);
  }
  oracle_ = std::make_unique<AdaptiveOracle>(*system_, library_, fixed_);
  collect_active();
}

// U_a, the columns of the active candidates. Handles and dense modes have different layouts:
//
//   U_a = [ W (x) I_3 , D ],   W n x 4 per handle, D 3 n x 1 per dense mode, filled up to blocks of 12 columns.
//
// A changed U_a makes every regional Hessian and the secant of the last step useless (TS, section 3.10).
void AdaptiveDirection::collect_active() {
  const HandleBasis& all = library_->handles;
  HandleBasis& handles = basis_.handles;
  modes_.clear();
  std::vector<Index> number(all.center.size(), -1);
  handles = {};
  for (std::size_t h = 0; h < number.size(); ++h) {
    if (!active_[h]) continue;
    number[h] = static_cast<Index>(modes_.size());
    modes_.push_back(static_cast<Index>(h));
    handles.center.push_back(all.center[h]);
    handles.radius.push_back(all.radius[h]);
  }
  handles.begin.assign(1, 0);
  for (Index v = 0; v < all.vertex_count(); ++v) {
    for (auto e = all.begin[v]; e < all.begin[v + 1]; ++e) {
      if (number[all.handle[e]] < 0) continue;
      handles.handle.push_back(number[all.handle[e]]);
      handles.weight.push_back(all.weight[e]);
    }
    handles.begin.push_back(static_cast<std::int64_t>(handles.handle.size()));
  }
  collect_dense(all.handle_count());
  regions_->set_basis(basis_, fixed_);
  linear_.set_basis(basis_, fixed_);
  step_.resize(0);
}

// The active ones of the dense modes, which are the candidates from `first` on, in blocks of 12, without fixed
// coordinates.
void AdaptiveDirection::collect_dense(Index first) {
  std::vector<Index> rows;
  for (Index s = 0; s < library_->mode_count(); ++s)
    if (active_[first + s]) rows.push_back(s);
  const auto count = static_cast<Index>(rows.size());
  const Index padded = (count + 11) / 12 * 12;
  basis_.dense.resize(padded, padded > 0 ? library_->modes.cols() : 0);
  parallel_for(basis_.dense.cols(), [&](std::size_t c) {
    auto column = basis_.dense.col(static_cast<Index>(c));
    for (Index s = 0; s < count; ++s) column[s] = library_->modes(rows[s], static_cast<Index>(c));
    column.tail(padded - count).setZero();
    if (fixed_[c]) column.setZero();
  });
  for (const Index s : rows) modes_.push_back(first + s);
}

void AdaptiveDirection::adapt(Change change) {
  regions_->adapt(change);
  if (estimator_) estimator_->adapt(change);
  if (change == Change::materials) oracle_->adapt(*system_);
}

// Begins with the active set of the step before, exact regional Hessians (TS, section 3.9: "re-initialized at the
// start of each time step") and the sums of q at zero.
//
// Vertices next to prescribed vertices that move are enriched. No mode is 1 at a prescribed vertex and 0 beyond, so
// that the tets in between would carry the whole motion as strain. The paper has no prescribed motion.
void AdaptiveDirection::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  build(context.prescribed);
  const Index n = system_->dynamic_count;
  moved_.assign(n, 0);
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (fixed_[3 * i + k] && context.target(k, i) != context.start(k, i)) moved_[i] = 1;
  const bool moves = std::find(moved_.begin(), moved_.end(), 1) != moved_.end();
  for (Index t = 0; moves && t < system_->tet_count(); ++t) {
    const auto tet = system_->tets.col(t);
    if (!(moved_[tet[0]] || moved_[tet[1]] || moved_[tet[2]] || moved_[tet[3]])) continue;
    for (int k = 0; k < 4; ++k)
      if (!moved_[tet[k]]) enriched_[tet[k]] = 1;
  }
  rigid_.resize(n);
  for (Index i = 0; i < n; ++i) rigid_[i] = enriched_[i] || moved_[i];
  regions_->set_rigid(rigid_);
  regions_->forget();
  std::fill(total_q_.begin(), total_q_.end(), 0.0);
  step_.resize(0);
  linear_.set_mesh(potential.mesh_pattern());
  linear_.begin_step();
  hessian_policy_.begin_step();
  fresh_ = false;
  estimating_ = leads_ = known_ = led_ = false;
  balance_.begin();
  unconfirmed_ = 0;
  least_level_ = led_length_ = 0;
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
    free_right_hand_side(H_, fixed_, drift, g, d, rhs_);
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
  const auto vertices = static_cast<Index>(std::count(enriched_.begin(), enriched_.end(), 1));
  report.iterations.push_back({vertices, static_cast<Index>(modes_.size()), error, result.linear_iterations});
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
  const auto vertices = static_cast<Index>(std::count(enriched_.begin(), enriched_.end(), 1));
  const bool separate = linear_.wants_bodies(vertices);
  potential_->derivatives(
      x, {.projection = projection_, .bodies = separate ? &bodies_ : nullptr, .without_elastic = true}, g, H_);
  regions_->add_gradient(g);
  add_exact(x, regions_->exact_tets(), g, H_);
  if (separate) {
    unused_.setZero(3, system_->dynamic_count);
    add_exact(x, regions_->exact_tets(), unused_, bodies_);
  }
  linear_.set(H_, separate ? &bodies_ : nullptr, projection_ == Projection::none, *regions_, context_->inertia,
              enriched_);
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
  oracle_->find_errors(g, context_->scale, enriched_, active_);
  if (!needs_progress()) return true;
  // Steps 2 to 4. If no alpha decreases E, the modes make no progress: xi = 0.
  rhs_ = -g;
  VecX q;
  if (!linear_.solve_modes_alone(rhs_, q)) return false;
  before_.resize(system_->dynamic_count);
  potential_->vertex_energies(x, before_);
  const double alpha = try_modes(x, q);
  if (alpha == 0) after_ = before_;
  oracle_->find_progress(before_, after_, context_->scale, active_);
  if (!activate()) return true;
  // Step 5 has made tets exact that were in a B_l. Their Hessians join C, and the regions that have lost them are
  // formed anew, before the system is solved (TS, section 3.10).
  const std::vector<Index> old(regions_->exact_tets().begin(), regions_->exact_tets().end());
  regions_->set_rigid(rigid_);
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
              enriched_);
  return true;
}

// d_a <- alpha d_a (TS, section 3.7): alpha from the step filter, then halved until E decreases. Plain decrease is
// enough, since d_a is not taken: only the energies around each vertex are kept. Returns alpha, 0 if none was found.
double AdaptiveDirection::try_modes(const Points& x, const VecX& q) {
  linear_.lift(q, u_);
  Points displacement = Points::Zero(3, x.cols());
  displacement.leftCols(system_->dynamic_count) = u_;
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
  std::vector<char> wanted(region_vertices_.size(), 0);
  for (std::size_t i = 0; i < enriched_.size(); ++i)
    if (!enriched_[i] && oracle_->vertex_errors()[i] > settings_.vertex_error &&
        oracle_->vertex_progress()[i] < settings_.progress)
      wanted[vertex_region_[i]] = 1;
  for (std::size_t l = 0; l < wanted.size(); ++l) {
    if (!wanted[l]) continue;
    for (const Index i : region_vertices_[l]) {
      if (enriched_[i] || moved_[i]) continue;
      enriched_[i] = rigid_[i] = 1;
      more_vertices = true;
    }
  }
  for (std::size_t h = 0; h < active_.size(); ++h) {
    if (active_[h] ||
        !(oracle_->mode_errors()[h] > settings_.mode_error && oracle_->mode_progress()[h] < settings_.progress))
      continue;
    active_[h] = 1;
    more_modes = true;
  }
  if (more_modes) collect_active();
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
  set_free(g, fixed_, rhs_);
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

// Books the step alpha d_q: s of the next secants, and its sum over the time step, from which modes are dropped at
// the end (TS, algorithm 1, q <- q + alpha d_q).
//
// A secant is right only for vertices that moved by alpha d. Bodies that turn along arcs (potential/body_arcs.h) did
// not, and their regions are formed anew.
void AdaptiveDirection::accepted(const Points& x, double alpha, double) {
  x_end_ = x.leftCols(system_->dynamic_count);
  if (led_) {
    step_.resize(0);
    led_length_ = alpha == 1 ? step_norms(d_full_, system_->dynamic_count, 1).mean : 0;
    return;
  }
  hessian_policy_.took(alpha);
  if (!(alpha > 0)) {
    step_.resize(0);
    return;
  }
  step_ = alpha * q_;
  const Index handles = basis_.handles.handle_count(), all = library_->handles.handle_count();
  for (Index h = 0; h < handles; ++h)
    for (int k = 0; k < 12; ++k) total_q_[12 * static_cast<std::size_t>(modes_[h]) + k] += step_[12 * h + k];
  for (std::size_t s = handles; s < modes_.size(); ++s)
    total_q_[11 * static_cast<std::size_t>(all) + modes_[s]] += step_[11 * handles + static_cast<Index>(s)];
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

// Made at first use: the paper's rule (acceptance: "oracle") needs no preconditioner in full space.
ErrorEstimator& AdaptiveDirection::estimator() {
  if (!estimator_) estimator_ = std::make_unique<ErrorEstimator>(system_);
  if (!estimating_) estimator_->begin_step(*context_, *potential_);
  estimating_ = true;
  return *estimator_;
}

std::optional<StateError> AdaptiveDirection::error(const Points& x) {
  const DirectionResult found = estimator().estimate(x, g_full_, d_full_);
  if (!found.ok) return {};
  return state_error(x, *context_, d_full_, found.remaining);
}

// Whether the error of each body is accepted: of d, whose lengths are multiplied by `factor`.
//
//   mean of factor |d_i| <= level = max(accuracy * mean of |x_i - x_i at the start|, tolerance h)
//
// with the tolerance for that motion in time (motion_tolerance.h).
bool AdaptiveDirection::find_levels(const Points& x, const Points& d, double factor) {
  struct Sums {
    double error = 0, motion = 0;
    Index count = 0;
  };
  std::vector<Sums> bodies(system_->bodies.size());
  for (Index i = 0; i < system_->dynamic_count; ++i) {
    Sums& body = bodies[system_->vertex_body[i]];
    body.error += factor * d.col(i).norm();
    body.motion += (x.col(i) - context_->start.col(i)).norm();
    ++body.count;
  }
  const double h = context_->step, tolerance = system_->setup.solver.tolerance;
  bool accepted = true;
  level_.assign(bodies.size(), tolerance * h);
  least_level_ = worth_ = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].count == 0) continue;
    const double count = bodies[b].count, motion = bodies[b].motion / count;
    const double least = (context_->inertia ? motion_tolerance(tolerance, motion / h) : tolerance) * h;
    const double relative = settings_.accuracy * motion;
    level_[b] = std::max(relative, least);
    accepted &= bodies[b].error / count <= level_[b];
    least_level_ = std::min(least_level_, level_[b]);
    worth_ = std::min(worth_, std::max(worth_a_step * relative, worth_of_tolerance * least));
  }
  return accepted;
}

bool AdaptiveDirection::confirm() {
  if (settings_.accept_by_estimate && !led_ && ++unconfirmed_ > most_unconfirmed) leads_ = true;
  return true;
}

// The estimate at x, and whether the error of each body is accepted (theory, section 8, "Acceptance"; not in TS):
//
// 1. d = -H^{-1} g in full space by PCG, error_i = (1 + lack) |d_i|      (multilevel/error_estimator.h).
// 2. After a full step along the estimate before: error / (1 - theta), theta = |d| / |d_before|.
// 3. If that would be accepted: once more over 1 - theta of a simplified correction.
// 4. Statics: forces must balance, too.
Acceptance AdaptiveDirection::judge(const Points& x) {
  Acceptance acceptance;
  const Stopwatch watch;
  acceptance.work = estimator().estimate(x, g_full_, d_full_);
  AdaptiveReport& report = acceptance.work.adaptive.emplace();
  report.estimates = 1;
  report.estimate = watch.seconds();
  if (!acceptance.work.ok) return acceptance;
  // Step 2. Errors after full steps shrink by theta each: d + theta d + theta^2 d + ... = d / (1 - theta), as in
  // solver/stop_test.cpp.
  const double length = step_norms(d_full_, system_->dynamic_count, 1).mean;
  const double theta = led_length_ > 0 ? std::min(length / led_length_, slowest) : 0.0;
  const double factor = acceptance.work.remaining / (1 - theta);
  led_length_ = 0;
  acceptance.error = state_error(x, *context_, d_full_, factor);
  acceptance.accepted = find_levels(x, d_full_, factor);
  if (acceptance.accepted && acceptance.error->estimate > worth_of_tolerance * least_level_) {
    // Step 3. The corrections of slender bodies that turn are much shorter than their error, since H stiffens along a
    // chord.
    const double lengthened = factor * estimator().lengthening(x, d_full_);
    acceptance.error = state_error(x, *context_, d_full_, lengthened);
    acceptance.accepted = find_levels(x, d_full_, lengthened);
  }
  // Step 4. Contact forces follow from tiny gaps: positions that are right to a few per cent of the motion may have
  // contact forces that are wrong by a multiple.
  if (acceptance.accepted && !balance_.balanced(*potential_, x, g_full_, {}) &&
      !balance_.stalled(*potential_, g_full_, {}, most_unbalanced))
    acceptance.accepted = false;
  if (acceptance.accepted) balance_.begin();  // a further round of friction is another minimisation
  report.estimate = watch.seconds();
  report.refusals = acceptance.accepted ? 0 : 1;
  return acceptance;
}

// Called where the iterations would end. A refused step takes in what d asks for, which serves the steps to come;
// this one goes on along the estimates.
Acceptance AdaptiveDirection::accept(const Points& x, Points& g, Points& d) {
  if (!settings_.accept_by_estimate) return {};
  Acceptance acceptance = judge(x);
  if (!acceptance.work.ok) return acceptance;
  if (!acceptance.accepted) {
    if (!leads_) take_in(g_full_, d_full_, *acceptance.work.adaptive);
    leads_ = known_ = true;
    return acceptance;
  }
  acceptance.corrected = acceptance.error->estimate > worth_;
  if (acceptance.corrected) {
    led_ = true;
    g = g_full_;
    d = d_full_;
  }
  return acceptance;
}

// After a refusal the estimates lead on, as Newton's directions in full space, until one of them is accepted: the
// subspace has no more to give in this step.
DirectionResult AdaptiveDirection::lead(const Points& x, Points& g, Points& d) {
  DirectionResult result;
  if (!known_) {
    Acceptance acceptance = judge(x);
    result = std::move(acceptance.work);
    if (!result.ok) return result;
    result.last = acceptance.accepted;
    result.error = acceptance.error;
  }
  known_ = false;
  g = g_full_;
  for (Index i = 0; i < system_->dynamic_count; ++i)
    for (int k = 0; k < 3; ++k)
      if (!fixed_[3 * static_cast<std::size_t>(i) + k]) d(k, i) = d_full_(k, i);
  return result;
}

// What the full-space direction d asks for: modes first, then vertices that these do not move far enough.
void AdaptiveDirection::take_in(const Points& g, const Points& d, AdaptiveReport& report) {
  if (take_in_modes(g, d, report)) collect_active();
  if (!take_in_vertices(d, report)) return;
  regions_->set_rigid(rigid_);
}

// Takes in candidate s if it alone would achieve the share mode_share of the decrease that the full-space d achieves:
//
//   g_s^T (U_s^T H U_s)^{-1} g_s >= mode_share (-g^T d),   g_s = U_s^T g.
//
// Both sides are twice the decrease of the quadratic model g^T d + d^T H d / 2.
bool AdaptiveDirection::take_in_modes(const Points& g, const Points& d, AdaptiveReport& report) {
  if (std::find(active_.begin(), active_.end(), 0) == active_.end()) return false;
  const double whole = -parallel_sum(system_->dynamic_count, [&](std::size_t i) {
    double sum = 0;
    for (int k = 0; k < 3; ++k)
      if (!fixed_[3 * i + k]) sum += g(k, i) * d(k, i);
    return sum;
  });
  if (!(whole > 0)) return false;
  const std::vector<double> decrease = oracle_->decreases(g, estimator_->hessian(), active_);
  bool more = false;
  for (std::size_t s = 0; s < active_.size(); ++s) {
    if (active_[s] || !(decrease[s] >= mode_share * whole)) continue;
    active_[s] = 1;
    asked_modes_[s] = asked_now;
    ++report.asked_handles;
    more = true;
  }
  return more;
}

// Takes in vertices i with |d_i - u_i| above the accepted error of their body, where u = U_a q is closest to d in the
// metric of mass. A larger set than most_vertices is not taken in: a full-space step is then cheaper than the system.
bool AdaptiveDirection::take_in_vertices(const Points& d, AdaptiveReport& report) {
  const Index n = system_->dynamic_count;
  linear_.fit(d, u_);
  std::vector<Index> wanted;
  Index free = 0, asked = 0;
  for (Index i = 0; i < n; ++i) {
    const std::size_t c = 3 * static_cast<std::size_t>(i);
    if (fixed_[c] && fixed_[c + 1] && fixed_[c + 2]) continue;
    ++free;
    asked += asked_vertices_[i] != 0;
    if (!rigid_[i] && (d.col(i) - u_.col(i)).norm() > level_[system_->vertex_body[i]]) wanted.push_back(i);
  }
  if (wanted.empty() || asked + static_cast<double>(wanted.size()) > most_vertices * free) return false;
  for (const Index i : wanted) {
    enriched_[i] = rigid_[i] = 1;
    asked_vertices_[i] = asked_now;
  }
  report.asked_vertices += static_cast<Index>(wanted.size());
  return true;
}

void AdaptiveDirection::end_step() {
  drop_unused();
}

// TS, section 3.11, after the step, with eps_d in 1/s, the scene's diagonal l and q summed over the step:
//
//   drop mode s    if |u_s q_s|_inf / (l h) < eps_d,
//   drop vertex i  if |x_i - x_i(start) - (U_a q)_i| / (l h) < eps_d.
//
// The `kept` handles of bodies and free motions stay. What acceptance took in is held to dropped_share of the
// accepted error: by eps_d alone it would be dropped and taken in again in each step.
void AdaptiveDirection::drop_unused() {
  ended_ = {};
  if (!(settings_.drop_rate > 0)) return;
  const Index n = system_->dynamic_count;
  const double usual = settings_.drop_rate * system_->diagonal * context_->step;
  const double tight = std::min(usual, dropped_share * least_level_);
  const HandleBasis& all = library_->handles;
  // Largest displacement by each mode, and that of each enriched vertex by all of them.
  std::vector<double> farthest(active_.size(), 0.0);
  Points by_modes = Points::Zero(3, n);
  for (Index v = 0; v < n; ++v) {
    for (auto e = all.begin[v]; e < all.begin[v + 1]; ++e) {
      const Index h = all.handle[e];
      if (!active_[h]) continue;
      const auto w = handle_scalars(all, e, system_->rest.col(v));
      const Eigen::Map<const Eigen::Matrix<double, 3, 4>> A(total_q_.data() + 12 * static_cast<std::size_t>(h));
      const Vec3 u = A * Eigen::Map<const Eigen::Vector4d>(w.data());
      farthest[h] = std::max(farthest[h], u.norm());
      by_modes.col(v) += u;
    }
    for (std::size_t s = all.center.size(); s < active_.size(); ++s) {
      if (!active_[s]) continue;
      const auto row = static_cast<Index>(s - all.center.size());
      const Vec3 u = total_q_[11 * all.center.size() + s] * library_->modes.block<1, 3>(row, 3 * v).transpose();
      farthest[s] = std::max(farthest[s], u.norm());
      by_modes.col(v) += u;
    }
  }
  // What acceptance took in during this step has not moved yet, since the step went on in full space: it stays once.
  for (std::size_t h = static_cast<std::size_t>(library_->kept); h < active_.size(); ++h) {
    const bool now = std::exchange(asked_modes_[h], asked_modes_[h] ? asked_before : 0) == asked_now;
    if (!active_[h] || now || farthest[h] >= (asked_modes_[h] ? tight : usual)) continue;
    active_[h] = asked_modes_[h] = 0;
    ++ended_.dropped_handles;
  }
  for (Index v = 0; v < n; ++v) {
    if (!enriched_[v]) continue;
    if (std::exchange(asked_vertices_[v], asked_vertices_[v] ? asked_before : 0) == asked_now) continue;
    const Vec3 moved = x_end_.col(v) - context_->start.col(v);
    if ((moved - by_modes.col(v)).norm() >= (asked_vertices_[v] ? tight : usual)) continue;
    enriched_[v] = asked_vertices_[v] = 0;
    ++ended_.dropped_vertices;
  }
  if (ended_.dropped_handles > 0) collect_active();
}

// The active set affects the bits of later steps, so that it is part of the checkpoint; all else begins anew in a
// step.
void AdaptiveDirection::save(ArchiveWriter& archive) const {
  const auto write = [&](const char* name, const std::vector<char>& flags) {
    const std::vector<std::int32_t> values(flags.begin(), flags.end());
    archive.write(name, std::span<const std::int32_t>(values));
  };
  write("adaptive/fixed", fixed_);  // what the library is made for
  write("adaptive/handles", active_);
  write("adaptive/vertices", enriched_);
  write("adaptive/asked_handles", asked_modes_);
  write("adaptive/asked_vertices", asked_vertices_);
}

void AdaptiveDirection::load(const ArchiveReader& archive) {
  const auto read = [&](const char* name, std::size_t size) {
    const auto values = archive.integers32(name);
    if (values.size() != size)
      fail_input("the checkpoint's {} has {} entries, expected {}: it is damaged or of another scene", name,
                 values.size(), size);
    std::vector<char> flags(size);
    for (std::size_t i = 0; i < size; ++i) flags[i] = values[i] != 0;
    return flags;
  };
  if (!archive.has("adaptive/handles")) return;  // of another method: starts with what is active at first
  build(read("adaptive/fixed", fixed_.size()));
  const std::vector<char> handles = read("adaptive/handles", active_.size());
  enriched_ = read("adaptive/vertices", enriched_.size());
  active_ = handles;
  if (archive.has("adaptive/asked_handles")) {  // versions without acceptance did not write them
    asked_modes_ = read("adaptive/asked_handles", active_.size());
    asked_vertices_ = read("adaptive/asked_vertices", enriched_.size());
  }
  std::fill_n(active_.begin(), library_->kept, 1);
  collect_active();
}

std::unique_ptr<FullSpaceDirection> make_adaptive(std::shared_ptr<const System> system) {
  return std::make_unique<AdaptiveDirection>(std::move(system));
}

}  // namespace sinew
