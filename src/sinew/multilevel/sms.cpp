#include "sinew/multilevel/sms.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/linalg/jacobi.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

constexpr double step_memory = 0.5;      // of the moving average of line-search steps
constexpr double refinement_end = 1e-8;  // relative residual at which refinement has nothing left to do
constexpr double many_hops = 30;         // edges across a cluster from which 40 iterations refine (section 3.7)

// Sums over fixed chunks in a fixed order: the same bits for any number of threads.
double dot(const Points& a, const Points& b) {
  return parallel_sum(a.cols(), [&](std::size_t i) { return a.col(i).dot(b.col(i)); });
}

void axpy(double a, const Points& x, Points& y) {
  parallel_for(
      y.cols(), [&](std::size_t i) { y.col(i) += a * x.col(i); }, 4096);
}

}  // namespace

SmsDirection::SmsDirection(std::shared_ptr<const System> system, const Preparation& prepared)
    : system_(std::move(system)),
      settings_(*system_->setup.solver.multilevel.printed),
      hierarchy_(prepared.hierarchy),
      pcg_(std::make_unique<BlockJacobi>()),
      fixed_vertices_(prepared.fixed) {
  if (hierarchy_)
    make_levels();
  else
    build(prescribed_at_start(*system_));
}

void SmsDirection::share(Preparation& prepared) const {
  prepared.hierarchy = hierarchy_;
  prepared.fixed = fixed_vertices_;
}

// Bases vanish at vertices that are wholly fixed: they are made anew when others are.
void SmsDirection::build(const std::vector<char>& fixed) {
  const Index n = system_->dynamic_count;
  std::vector<char> fixed_vertices(n);
  for (Index i = 0; i < n; ++i) fixed_vertices[i] = all_prescribed(fixed, i);
  if (hierarchy_ && fixed_vertices == fixed_vertices_) return;
  hierarchy_ = make_hierarchy(*system_, fixed);
  fixed_vertices_ = std::move(fixed_vertices);
  make_levels();
}

void SmsDirection::make_levels() {
  // The paper solves both levels by PCG with 12 x 12 blocks to a relative residual of 1e-4 (section 3.7.1).
  const auto solver = settings_.factorize ? SubspaceLevel::Solver::factor : SubspaceLevel::Solver::pcg;
  const auto level = [&](bool wanted, const HandleBasis& basis) {
    return wanted && basis.handle_count() > 0
               ? std::make_unique<SubspaceLevel>(basis, system_->rest, solver, settings_.reduced_tolerance)
               : nullptr;
  };
  affine_ = level(settings_.affine, hierarchy_->affine);
  subspace_ = level(settings_.subspace, hierarchy_->subspace);
  // Jacobi-PCG carries information by one edge an iteration. The paper takes 20 or 40 iterations, whichever is closer
  // to the edges across a cluster (section 3.7.2, "Choosing the Number of CG Iterations").
  refinement_ = settings_.refinement >= 0 ? settings_.refinement : hierarchy_->hops > many_hops ? 40 : 20;
}

void SmsDirection::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  build(context.prescribed);
  age_ = 0;
  mean_step_ = 1;
  for (SubspaceLevel* level : {affine_.get(), subspace_.get()})
    if (level) level->reset(false);
}

// Gradient and Hessians of one iteration (SMS, algorithm 1 and section 3.7.2):
//
//   g     = grad E(x),
//   H_lag = M + a h^2 (K(x_old) + Hess B(x) + Hess D(x)),             K the projected elastic Hessian of all tets,
//   H     = M + a h^2 (sum_e w_e Hess W_e(x) + Hess B(x) + Hess D(x)),  e the tets of the cubature rule (section 3.8).
//
// K is the costly part, because it visits all tets. It is formed at the start of a step, and again once the moving
// average of the line search's alpha falls below lag_step, at most every `lag` iterations. Contact, friction and
// inertia are always those of x: a new contact must be as stiff in the model as it is in E.
void SmsDirection::update_hessian(const Points& x, Points& g, LevelReport& levels) {
  if (age_ == 0 || (age_ >= settings_.lag && (settings_.lag == 0 || mean_step_ < settings_.lag_step))) {
    potential_->elastic_hessian(x, Projection::psd, elastic_);
    ++levels.hessian_updates;
    age_ = 0;
    mean_step_ = 1;
  }
  ++age_;
  potential_->derivatives(x, {.elastic = &elastic_}, g, H_);
  if (!settings_.cubature_hessian) return;
  const Cubature& rule = hierarchy_->cubature;
  ScopedTimer timer(levels.cubature);
  potential_->derivatives(x, {.tets = rule.tets, .weights = rule.weights}, unused_gradient_, H_cubature_);
  H_cubature_.constrain(context_->prescribed, mean_diagonal(H_cubature_));
}

// One level of SMS, algorithm 2:
//
//   (U^T H U) q = -U^T (g + H d_s),   d_s <- d_s + U q,   r <- r - H U q,   r = -(g + H d_s).
//
// Print has +g on the right-hand side and so solves for -d (theory, section 5, "As printed"). The
// product U^T H U uses the rule's H, for which the paper's cost is independent of the mesh. r needs a matrix that
// sees all tets: between the rule's tets H has no stiffness, and r formed with it stalls the refinement. The option
// `residual: "cubature"` forms r as print does.
void SmsDirection::correct(SubspaceLevel& level, long& iterations, double& seconds, LevelReport& levels) {
  const Stopwatch watch;
  level.galerkin_seconds = level.factor_seconds = level.solve_seconds = 0;
  level.compute(settings_.cubature_hessian ? H_cubature_ : H_, nullptr, context_->prescribed);
  c_.setZero(3, r_.cols());
  iterations += level.add_correction(r_.data(), c_.data());
  (settings_.cubature_residual ? H_cubature_ : H_).multiply(c_.data(), Hd_.data());
  axpy(1, c_, d_s_);
  axpy(-1, Hd_, r_);
  levels.galerkin += level.galerkin_seconds;
  seconds += watch.seconds();
}

// Descent after any number of refinement iterations. Along d_s the model of all tets is
//
//   m(s) = s g^T d_s + s^2/2 d_s^T H_lag d_s,
//
// least at s = -g^T d_s / d_s^T H_lag d_s. A rule of few tets may see too little stiffness and give a d_s with m(1)
// >= 0; d_s is then scaled to that least point. CG from there lowers m further, so that g^T d < 0. The paper has no
// such test. Leaves r = -g - H_lag d_s.
void SmsDirection::keep_descent() {
  H_.multiply(d_s_.data(), Hd_.data());
  const double curvature = dot(d_s_, Hd_), slope = -dot(rhs_, d_s_);
  double scale = 1;
  if (slope + 0.5 * curvature >= 0 && curvature > 0) scale = -slope / curvature;
  if (scale != 1) d_s_ *= scale;
  r_ = rhs_;
  axpy(-scale, Hd_, r_);
}

// Refinement (SMS, equation 12): H_lag d_f = r by a fixed number of PCG iterations with the 3 x 3 block diagonal.
//
// If |d_s + d_f| is below the tolerance, the step may end with this direction. A truncated d would then pass for a
// small one, so that PCG goes on until
//
//   |r - H_lag d_f| <= linear_tolerance |g|,
//
// the residual that `newton-multilevel` asks for. Returns false if linear_iterations do not suffice.
bool SmsDirection::refine(LevelReport& levels) {
  d_f_.setZero(3, r_.cols());
  if (refinement_ == 0) return true;
  ScopedTimer timer(levels.refinement);
  pcg_.compute(H_);
  ResidualStop nothing_left(refinement_end);
  LinearSolveReport report = pcg_.solve(r_.data(), d_f_.data(), nothing_left, refinement_);
  levels.refinement_iterations = report.iterations;
  if (report.ok || report.indefinite || settings_.stop_by_subspace) return !report.indefinite;
  const SolverSetup& solver = system_->setup.solver;
  const double length = parallel_sum(r_.cols(), [&](std::size_t i) { return (d_s_.col(i) + d_f_.col(i)).norm(); });
  if (length >= solver.tolerance * context_->step * static_cast<double>(r_.cols())) return true;
  ResidualStop solved(solver.linear_tolerance * std::min(1.0, std::sqrt(dot(rhs_, rhs_) / dot(r_, r_))));
  report = pcg_.solve(r_.data(), d_f_.data(), solved, std::max(0, solver.linear_iterations - report.iterations));
  levels.refinement_iterations += report.iterations;
  return report.ok;
}

// One iteration of SMS, algorithm 1, up to the line search:
//
// 1. g and H at x; H_lag if it is due (section 3.7.2).
// 2. Rows of prescribed coordinates: their displacement is known, and -g becomes the right-hand side of the others.
// 3. Affine level: d_s = U_a q_a (algorithm 2, first solve).
// 4. SMS level: d_s += U_s q_s on the residual that the affine level leaves (algorithm 2, second solve).
// 5. Refinement in full space: d_f (equation 12).
// 6. d = d_s + d_f. The stop test measures d_s (section 3.9), or d with `stop: "full"`.
DirectionResult SmsDirection::direction(const Points& x, const Points& drift, Points& g, Points& d) {
  DirectionResult result;
  LevelReport& levels = result.levels;
  levels.any = true;
  const Stopwatch watch;
  const double assembly = potential_->assembly_seconds;
  // Step 1.
  update_hessian(x, g, levels);
  if (!finite_diagonal(H_)) {
    result.ok = false;
    result.overflow = true;
    result.reason = "the Hessian is not finite";
    return result;
  }
  // Step 2.
  free_right_hand_side(H_, context_->prescribed, drift, g, d, rhs_);
  H_.constrain(context_->prescribed, mean_diagonal(H_));
  r_ = rhs_;
  Hd_.resize(3, H_.rows());
  d_s_.setZero(3, H_.rows());
  // Steps 3 and 4.
  levels.reduced_updates = affine_ || subspace_ ? 1 : 0;
  if (affine_) correct(*affine_, levels.affine_iterations, levels.affine, levels);
  if (subspace_) correct(*subspace_, levels.subspace_iterations, levels.subspace, levels);
  if (settings_.cubature_hessian && !settings_.cubature_residual) keep_descent();
  // Step 5.
  result.may_stop = refine(levels);
  if (!result.may_stop) result.reason = "the refinement did not converge within solver.linear_iterations";

  result.linear_solve_seconds = watch.seconds() - (potential_->assembly_seconds - assembly);
  levels.other = result.linear_solve_seconds - levels.affine - levels.subspace - levels.refinement;
  result.linear_iterations = levels.affine_iterations + levels.subspace_iterations + levels.refinement_iterations;
  // Step 6. Print's |d_s| / (h |V|) does not say which norm. Here it is the mean or the largest speed of the
  // vertices: a 2-norm over |V| would admit an rms speed that grows with sqrt(|V|).
  const StepNorms subspace = step_norms(d_s_, system_->dynamic_count, context_->step);
  levels.parts = {subspace.mean, subspace.max, step_norms(d_f_, system_->dynamic_count, context_->step).mean};
  if (settings_.stop_by_subspace) result.measured = subspace;
  d_f_ += d_s_;
  take_free(d_f_, context_->prescribed, d);
  return result;
}

// Exponential mean of the line search's alpha, the paper's sign of a stale K (section 3.7.2, "Hessian Lagging").
void SmsDirection::accepted(const Points&, double alpha, double) {
  mean_step_ += step_memory * (alpha - mean_step_);
}

}  // namespace sinew
