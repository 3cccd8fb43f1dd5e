#include "sinew/solver/multilevel.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"
#include "sinew/core/timer.h"
#include "sinew/linalg/jacobi.h"
#include "sinew/solver/constrained_system.h"

namespace sinew {
namespace {

constexpr double step_memory = 0.5;      // of the moving average of line-search steps
constexpr double refinement_end = 1e-8;  // relative residual at which refinement has nothing left to do

double dot(const Points& a, const Points& b) {
  return parallel_sum(a.cols(), [&](std::size_t i) { return a.col(i).dot(b.col(i)); });
}

void axpy(double a, const Points& x, Points& y) {
  parallel_for(
      y.cols(), [&](std::size_t i) { y.col(i) += a * x.col(i); }, 4096);
}

double mean_length(const Points& d) {
  return parallel_sum(d.cols(), [&](std::size_t i) { return d.col(i).norm(); }) / std::max<Eigen::Index>(1, d.cols());
}

double largest_length(const Points& d) {
  return parallel_max(d.cols(), 0.0, [&](std::size_t i) { return d.col(i).norm(); });
}

struct Additive : Preconditioner {
  BlockJacobi jacobi;
  SubspaceLevel* level = nullptr;
  std::span<const char> fixed;
  mutable Points R, C;
  void compute(const SymBlockMatrix& A) override { jacobi.compute(A); R.resize(3, A.rows()); }
  void apply(const double* r, double* z) const override {
    jacobi.apply(r, z);
    if (!level) return;
    R = Eigen::Map<const Points>(r, 3, R.cols());
    for (Index i = 0; i < R.cols(); ++i) for (int k = 0; k < 3; ++k) if (fixed[3*i+k]) R(k,i) = 0;
    level->correct(R, fixed, C);
    Eigen::Map<Points>(z, 3, C.cols()) += C;
  }
};
bool additive() { return getenv("ADD"); }

}  // namespace

MultilevelDirection::MultilevelDirection(std::shared_ptr<const System> system)
    : system_(std::move(system)),
      settings_(system_->setup.solver.multilevel),
      pcg_(additive() ? std::unique_ptr<Preconditioner>(std::make_unique<Additive>()) : std::make_unique<BlockJacobi>()) {}

// Bases vanish at vertices that are wholly fixed: they are made anew when others are.
void MultilevelDirection::build(const std::vector<char>& fixed) {
  const Index n = system_->dynamic_count;
  std::vector<char> held(n);
  for (Index i = 0; i < n; ++i) held[i] = fixed[3 * i] && fixed[3 * i + 1] && fixed[3 * i + 2];
  if (hierarchy_ && held == held_) return;
  held_ = std::move(held);
  hierarchy_ = make_hierarchy(*system_, fixed);
  const auto solver = settings_.factorize ? SubspaceLevel::Solver::factor : SubspaceLevel::Solver::pcg;
  const auto level = [&](bool wanted, const HandleBasis& basis) {
    return wanted && basis.handle_count() > 0
               ? std::make_unique<SubspaceLevel>(basis, system_->rest, solver, settings_.reduced_tolerance)
               : nullptr;
  };
  affine_ = level(settings_.affine, hierarchy_->affine);
  subspace_ = level(settings_.subspace, hierarchy_->subspace);
  pcg_.options().tolerance = refinement_end;
  pcg_.options().max_iterations = settings_.refinement >= 0 ? settings_.refinement : hierarchy_->hops > 30 ? 40 : 20;
}

void MultilevelDirection::begin_step(const StepContext& context, IncrementalPotential& potential) {
  context_ = &context;
  potential_ = &potential;
  build(context.fixed);
  age_ = 0;
  mean_step_ = 1;
  for (SubspaceLevel* level : {affine_.get(), subspace_.get()})
    if (level) level->reset();
}

// The gradient, and the Hessian, whose elastic part may be kept from earlier directions of the step.
void MultilevelDirection::update_hessian(const Points& x, Points& g, LevelReport& levels) {
  if (settings_.lag == 0) {
    potential_->derivatives(x, Projection::psd, g, H_);
    ++levels.hessian_updates;
  } else {
    if (age_ == 0 || (age_ >= settings_.lag && mean_step_ < settings_.lag_step)) {
      potential_->elastic_hessian(x, Projection::psd, elastic_);
      ++levels.hessian_updates;
      age_ = 0;
      mean_step_ = 1;
    }
    ++age_;
    potential_->derivatives(x, Projection::psd, elastic_, g, H_);
  }
  if (!settings_.cubature_hessian) return;
  ScopedTimer timer(levels.cubature);
  const Cubature& rule = hierarchy_->cubature;
  potential_->hessian(x, Projection::psd, rule.tets, rule.weights, H_cubature_);
  H_cubature_.constrain(context_->fixed, 0);
}

// Adds the level's correction of the residual r_ to subspace_step_. Both are of free coordinates.
void MultilevelDirection::correct(SubspaceLevel& level, const SymBlockMatrix& H, const SymBlockMatrix& reduced_from,
                                  long& iterations, double& seconds, LevelReport& levels) {
  const Stopwatch watch;
  level.galerkin_seconds = level.factor_seconds = level.solve_seconds = 0;
  level.compute(reduced_from);
  iterations += level.correct(r_, context_->fixed, c_).iterations;
  axpy(1, c_, subspace_step_);
  H.multiply(c_.data(), Hd_.data());
  axpy(-1, Hd_, r_);
  levels.galerkin += level.galerkin_seconds;
  seconds += watch.seconds();
}

// A rule of few tets may see too little stiffness: the step that minimises the model of all of them along subspace_step_
// decreases E, and what refinement adds decreases it further. Leaves r_ = rhs_ - H subspace_step_.
void MultilevelDirection::keep_descent(const SymBlockMatrix& H) {
  H.multiply(subspace_step_.data(), Hd_.data());
  const double curvature = dot(subspace_step_, Hd_), slope = -dot(rhs_, subspace_step_);
  double scale = 1;
  if (slope + 0.5 * curvature >= 0 && curvature > 0) scale = -slope / curvature;
  if (scale != 1) subspace_step_ *= scale;
  r_ = rhs_;
  axpy(-scale, Hd_, r_);
}

void MultilevelDirection::refine(LevelReport& levels) {
  const Stopwatch watch;
  refinement_step_.setZero(3, r_.cols());
  if (pcg_.options().max_iterations > 0) {
    if (additive()) { auto& a = static_cast<Additive&>(pcg_.preconditioner()); a.level = subspace_.get(); a.fixed = context_->fixed; 
    const double forcing = atof(getenv("ADD"));
    pcg_.options().tolerance = std::min(0.9, forcing * std::sqrt(dot(rhs_, rhs_) / dot(r_, r_))); }
    pcg_.compute(H_);
    levels.refinement_iterations += pcg_.solve(r_.data(), refinement_step_.data()).iterations;
  }
  levels.refinement += watch.seconds();
}

DirectionResult MultilevelDirection::direction(const Points& x, const Points& drift, Points& g, Points& d) {
  DirectionResult result;
  LevelReport& levels = result.levels;
  levels.any = true;
  update_hessian(x, g, levels);
  if (!finite_diagonal(H_)) {
    result.ok = false;
    result.overflow = true;
    result.reason = "the Hessian is not finite";
    return result;
  }
  const Stopwatch watch;
  const Index n = H_.rows();
  const auto& fixed = context_->fixed;
  free_right_hand_side(H_, fixed, drift, g, d, rhs_);
  const double diagonal = mean_diagonal(H_);
  H_.constrain(fixed, 0);
  r_ = rhs_;
  Hd_.resize(3, n);
  subspace_step_.setZero(3, n);
  const SymBlockMatrix& reduced_from = settings_.cubature_hessian ? H_cubature_ : H_;
  const SymBlockMatrix& residual_from = settings_.cubature_residual ? H_cubature_ : H_;
  if (affine_) correct(*affine_, residual_from, reduced_from, levels.affine_iterations, levels.affine, levels);
  if (subspace_) correct(*subspace_, residual_from, reduced_from, levels.subspace_iterations, levels.subspace, levels);
  if (settings_.cubature_hessian && !settings_.cubature_residual) keep_descent(H_);
  const auto& begin = H_.pattern().row_begin;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      if (fixed[3 * i + k]) H_.block(begin[i])[4 * k] = diagonal;
  refine(levels);

  const double h = context_->step;
  levels.subspace_mean = mean_length(subspace_step_) / h;
  levels.subspace_max = largest_length(subspace_step_) / h;
  levels.refinement_mean = mean_length(refinement_step_) / h;
  result.linear_iterations = levels.affine_iterations + levels.subspace_iterations + levels.refinement_iterations;
  result.linear_solve_seconds = watch.seconds();
  if (settings_.stop_by_subspace) result.measured = &subspace_step_;
  refinement_step_ += subspace_step_;
  take_free(refinement_step_, fixed, d);
  return result;
}

void MultilevelDirection::accepted(double alpha) {
  mean_step_ += step_memory * (alpha - mean_step_);
}

}  // namespace sinew
