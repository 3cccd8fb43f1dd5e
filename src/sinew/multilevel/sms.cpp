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

double dot(const Points& a, const Points& b) {
  return parallel_sum(a.cols(), [&](std::size_t i) { return a.col(i).dot(b.col(i)); });
}

void axpy(double a, const Points& x, Points& y) {
  parallel_for(
      y.cols(), [&](std::size_t i) { y.col(i) += a * x.col(i); }, 4096);
}

}  // namespace

SmsDirection::SmsDirection(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      settings_(*system_->setup.solver.multilevel.printed),
      pcg_(std::make_unique<BlockJacobi>()) {
  build(prescribed_at_start(*system_));
}

// Bases vanish at vertices that are wholly fixed: they are made anew when others are.
void SmsDirection::build(const std::vector<char>& fixed) {
  const Index n = system_->dynamic_count;
  std::vector<char> held(n);
  for (Index i = 0; i < n; ++i) held[i] = fixed[3 * i] && fixed[3 * i + 1] && fixed[3 * i + 2];
  if (hierarchy_ && held == held_) return;
  hierarchy_ = make_hierarchy(*system_, fixed);
  held_ = std::move(held);
  const auto solver = settings_.factorize ? SubspaceLevel::Solver::factor : SubspaceLevel::Solver::pcg;
  const auto level = [&](bool wanted, const HandleBasis& basis) {
    return wanted && basis.handle_count() > 0
               ? std::make_unique<SubspaceLevel>(basis, system_->rest, solver, settings_.reduced_tolerance)
               : nullptr;
  };
  affine_ = level(settings_.affine, hierarchy_->affine);
  subspace_ = level(settings_.subspace, hierarchy_->subspace);
  refinement_ = settings_.refinement >= 0 ? settings_.refinement : hierarchy_->hops > many_hops ? 40 : 20;
}

void SmsDirection::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  build(context.fixed);
  age_ = 0;
  mean_step_ = 1;
  for (SubspaceLevel* level : {affine_.get(), subspace_.get()})
    if (level) level->reset(false);
}

// g and H = M + a h^2 (lagged elastic Hessian + fresh contact Hessian); with cubature also H_cubature, whose elastic
// part is sum over its tets of w_e Hess W_e. The lagged part is renewed when line searches take short steps, at most
// every `lag` directions.
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
  H_cubature_.constrain(context_->fixed, mean_diagonal(H_cubature_));
}

// c = U A^{-1} U^T r, A = U^T H U with either Hessian: d_s += c, r -= H c.
void SmsDirection::correct(SubspaceLevel& level, long& iterations, double& seconds, LevelReport& levels) {
  const Stopwatch watch;
  level.galerkin_seconds = level.factor_seconds = level.solve_seconds = 0;
  level.compute(settings_.cubature_hessian ? H_cubature_ : H_, nullptr, context_->fixed);
  c_.setZero(3, r_.cols());
  iterations += level.add_correction(r_.data(), c_.data());
  (settings_.cubature_residual ? H_cubature_ : H_).multiply(c_.data(), Hd_.data());
  axpy(1, c_, d_s_);
  axpy(-1, Hd_, r_);
  levels.galerkin += level.galerkin_seconds;
  seconds += watch.seconds();
}

// A rule of few tets may see too little stiffness: the length along d_s that minimises the model of all tets,
// s = d_s^T rhs / d_s^T H d_s, decreases E, and what refinement adds decreases it further. Leaves r = rhs - H d_s.
void SmsDirection::keep_descent() {
  H_.multiply(d_s_.data(), Hd_.data());
  const double curvature = dot(d_s_, Hd_), slope = -dot(rhs_, d_s_);
  double scale = 1;
  if (slope + 0.5 * curvature >= 0 && curvature > 0) scale = -slope / curvature;
  if (scale != 1) d_s_ *= scale;
  r_ = rhs_;
  axpy(-scale, Hd_, r_);
}

// H d_f = r by `refinement` iterations. A direction that may end the step is solved to solver.linear_tolerance; false
// where that is not reached.
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

DirectionResult SmsDirection::direction(const Points& x, const Points& drift, Points& g, Points& d) {
  DirectionResult result;
  LevelReport& levels = result.levels;
  levels.any = true;
  const Stopwatch watch;
  const double assembly = potential_->assembly_seconds;
  update_hessian(x, g, levels);
  if (!finite_diagonal(H_)) {
    result.ok = false;
    result.overflow = true;
    result.reason = "the Hessian is not finite";
    return result;
  }
  free_right_hand_side(H_, context_->fixed, drift, g, d, rhs_);
  H_.constrain(context_->fixed, mean_diagonal(H_));
  r_ = rhs_;
  Hd_.resize(3, H_.rows());
  d_s_.setZero(3, H_.rows());
  levels.reduced_updates = affine_ || subspace_ ? 1 : 0;
  if (affine_) correct(*affine_, levels.affine_iterations, levels.affine, levels);
  if (subspace_) correct(*subspace_, levels.subspace_iterations, levels.subspace, levels);
  if (settings_.cubature_hessian && !settings_.cubature_residual) keep_descent();
  result.may_stop = refine(levels);
  if (!result.may_stop) result.reason = "the refinement did not converge within solver.linear_iterations";

  result.linear_solve_seconds = watch.seconds() - (potential_->assembly_seconds - assembly);
  levels.other = result.linear_solve_seconds - levels.affine - levels.subspace - levels.refinement;
  result.linear_iterations = levels.affine_iterations + levels.subspace_iterations + levels.refinement_iterations;
  const StepNorms subspace = step_norms(d_s_, system_->dynamic_count, context_->step);
  levels.parts = {subspace.mean, subspace.max, step_norms(d_f_, system_->dynamic_count, context_->step).mean};
  if (settings_.stop_by_subspace) result.measured = subspace;
  d_f_ += d_s_;
  take_free(d_f_, context_->fixed, d);
  return result;
}

void SmsDirection::accepted(const Points&, double alpha, double) {
  mean_step_ += step_memory * (alpha - mean_step_);
}

}  // namespace sinew
