#include "sinew/dynamics/condensed_direction.h"

#include <cmath>

#include "sinew/core/timer.h"
#include "sinew/linalg/gmres.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {

CondensedDirection::CondensedDirection(CondensedProblem& problem) : problem_(problem) {
  const PositionSpace& space = problem.space();
  updates_.prepare(space.unknown_rows(), space.unknown_columns());
  if (space.has_energy()) return;
  for (MatX* m : {&moved_, &differenced_}) m->setZero(space.unknown_rows(), space.unknown_columns());
  shifted_y_.setZero(space.rows(), space.columns());
}

void CondensedDirection::begin_step() {
  updates_.forget();
  exact_ = false;
}

void CondensedDirection::took(const MatX& d, bool full) {
  if (full)
    updates_.took(d);
  else
    updates_.forget();
}

CondensedDirectionResult CondensedDirection::direction(const CondensedPoint& at, CondensedPoint& d,
                                                       StepReport& report) {
  if (!problem_.is_linearized()) {
    ScopedTimer timer(report.seconds.assembly);
    problem_.linearize(at.y, at.s);
  }
  {
    // Factorisation and two triangular solves.
    ScopedTimer timer(report.seconds.linear_solve);
    if (!solve(at.y, problem_.gradient(), d.y, report)) return {};
  }
  ++report.newton_iterations;
  return measured(d, false);
}

CondensedDirectionResult CondensedDirection::along(const CondensedPoint& at, double left, CondensedPoint& d,
                                                   StepReport& report) {
  updates_.forget();
  {
    ScopedTimer timer(report.seconds.assembly);
    problem_.linearize_with_drift(at.y, at.s, left);
    along_ = problem_.gradient() + problem_.drift();
  }
  {
    ScopedTimer timer(report.seconds.linear_solve);
    if (!solve(at.y, along_, d.y, report)) return {};
  }
  ++report.newton_iterations;
  const CondensedDirectionResult result = measured(d, true);
  updates_.forget();
  return result;
}

// The slope of the merit function is g . d; in the mixed formulation the points add their part.
CondensedDirectionResult CondensedDirection::measured(CondensedPoint& d, bool with_way) {
  CondensedDirectionResult result;
  PositionSpace& space = problem_.space();
  const double h = problem_.step().step;
  // The size of the direction as a velocity, over all vertices or samples.
  const Displacement moved = space.displacement(d.y);
  result.longest = moved.largest;
  result.largest = moved.largest / h;
  // The mean over a body would hide a contact that still slides or settles, so contacts are measured by the maximum.
  const bool mean = problem_.solver().norm == "mean" && space.contact_count() == 0;
  result.measure = mean ? moved.mean / h : result.largest;
  result.found = std::isfinite(result.largest);
  if (!result.found) return result;
  result.slope = problem_.gradient().cwiseProduct(d.y).sum();
  if (problem_.is_mixed()) result.slope += problem_.finish_direction(d, with_way);
  return result;
}

// Matrices of few modes cost more than the rest of an iteration. Contact changes them too much to be kept.
bool CondensedDirection::can_keep_factor() const {
  const ReducedBasis* basis = problem_.space().basis();
  return !problem_.is_mixed() && basis && basis->is_dense() && problem_.space().contact_count() == 0 &&
         problem_.solver().jacobian != "free";
}

// With the matrix of an earlier iteration and Broyden's updates where these converge fast, else with a new one. Where
// directions of modal cubature's symmetric matrix shrink by less than half the derivative itself takes its place for
// the rest of the step, but for directions of it that lead uphill.
bool CondensedDirection::solve(const MatX& y, const MatX& g, MatX& d, StepReport& report) {
  PositionSpace& space = problem_.space();
  const auto is_descent = [&] { return g.cwiseProduct(d).sum() < 0; };
  const bool modal = !space.has_energy();
  if (updates_.is_usable() && can_keep_factor()) {
    space.solve(g, d);
    if (updates_.improve(d) && is_descent()) return true;
    exact_ |= modal && updates_.is_first();
  }
  updates_.forget();
  const std::string& jacobian = problem_.solver().jacobian;
  const bool exact = modal && (exact_ || jacobian == "exact");
  const std::vector<double>& K = problem_.stiffness();
  ++report.factorizations;
  if (!(exact ? space.factor_exact(K) : space.factor(K))) return false;
  if (modal && jacobian == "free") {
    if (!solve_by_differences(y, g, d, report)) return false;
  } else {
    space.solve(g, d);
  }
  if (modal && !is_descent()) {
    if (exact) {
      ++report.factorizations;
      if (!space.factor(K)) return false;
    }
    space.solve(g, d);
  }
  if (can_keep_factor()) space.scales(updates_.restart());
  return true;
}

// EP, appendix C: J d = -g, g being the gradient with or without drift, by products with differences of the forces, J p
// ~ (g(y + e p) - g(y)) / e with e = 1e-6 sqrt(1 + |y|) / |p| (Pernice and Walker 1998), preconditioned by the
// symmetric matrix. GMRES, since J is not symmetric.
bool CondensedDirection::solve_by_differences(const MatX& y, const MatX& g, MatX& d, StepReport& report) {
  PositionSpace& space = problem_.space();
  const MatX& there = problem_.gradient();
  const double size = std::sqrt(1 + y.norm());
  const auto unknowns = [&](const MatX& x) { return VecX(Eigen::Map<const VecX>(x.data(), x.size())); };
  const auto product = [&](const VecX& p, VecX& Jp) {
    const double e = 1e-6 * size / p.norm();
    moved_ = Eigen::Map<const MatX>(p.data(), g.rows(), g.cols());
    space.move(y, moved_, e, shifted_y_);
    problem_.gradient_at(shifted_y_, differenced_);
    Jp = unknowns(differenced_ - there) / e;
  };
  const auto precondition = [&](VecX& v) {
    moved_ = Eigen::Map<const MatX>(v.data(), g.rows(), g.cols());
    space.solve(moved_, differenced_);
    v = -unknowns(differenced_);
  };
  const GmresResult solved = gmres(product, precondition, -unknowns(g));
  report.linear_iterations += solved.iterations;
  d = Eigen::Map<const MatX>(solved.x.data(), g.rows(), g.cols());
  problem_.return_to(y, differenced_);
  return solved.converged;
}

}  // namespace sinew
