#include "sinew/dynamics/reduced_direction.h"

#include <cmath>

#include "sinew/core/timer.h"
#include "sinew/linalg/gmres.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {

ReducedDirection::ReducedDirection(ReducedPotential& potential) : potential_(potential) {
  const PositionSpace& space = potential.space();
  updates_.prepare(space.unknown_rows(), space.unknown_columns());
  for (MatX* m : {&rhs_, &d_, &moved_, &differenced_}) m->setZero(space.unknown_rows(), space.unknown_columns());
}

void ReducedDirection::begin_step() {
  updates_.forget();
  exact_ = false;
}

void ReducedDirection::accepted(const Points&, double alpha, double) {
  if (alpha == 1)
    updates_.took(d_);
  else
    updates_.forget();
}

bool ReducedDirection::retry() {
  if (is_fresh_) return false;
  updates_.forget();
  return true;
}

DirectionResult ReducedDirection::direction(const Points& q, const Points& drift, Points& g, Points& d) {
  DirectionResult result;
  {
    ScopedTimer timer(potential_.assembly_seconds);
    potential_.linearize(q);
  }
  g.setZero(3, potential_.columns());
  potential_.write_unknowns(potential_.gradient(), g);
  rhs_ = potential_.gradient();
  const bool open = drift.size() > 0;
  if (open) {
    updates_.forget();
    potential_.read_unknowns(drift, moved_);
    rhs_ += moved_;
  }
  {
    // Factorisation and two triangular solves.
    ScopedTimer timer(result.linear_solve_seconds);
    result.ok = solve(q, rhs_, d_, result);
  }
  if (!result.ok) {
    result.reason = "the matrix of the reduced step is not positive definite, or not finite";
    return result;
  }
  potential_.write_unknowns(d_, d);
  potential_.finish_direction(d);
  if (open) updates_.forget();
  return result;
}

DirectionResult ReducedDirection::correction(const Points&, const Points& g, Points& d) {
  DirectionResult result;
  potential_.read_unknowns(g, moved_);
  potential_.space().solve(moved_, differenced_);
  potential_.write_unknowns(differenced_, d);
  return result;
}

// Matrices of few modes cost more than the rest of an iteration. Contact changes them too much to be kept.
bool ReducedDirection::can_keep_factor() const {
  const ReducedBasis* basis = potential_.space().basis();
  return !potential_.is_mixed() && basis && basis->is_dense() && potential_.contact().contacts().empty() &&
         potential_.system().setup.solver.jacobian != "free";
}

// With the matrix of an earlier iteration and Broyden's updates where these converge fast, else with a new one. Where
// directions of modal cubature's symmetric matrix shrink by less than half the derivative itself takes its place for
// the rest of the step, but for directions of it that lead uphill.
bool ReducedDirection::solve(const Points& q, const MatX& g, MatX& d, DirectionResult& result) {
  PositionSpace& space = potential_.space();
  const auto is_descent = [&] { return g.cwiseProduct(d).sum() < 0; };
  const bool modal = !space.has_energy();
  is_fresh_ = false;
  if (updates_.is_usable() && can_keep_factor()) {
    space.solve(g, d);
    if (updates_.improve(d) && is_descent()) return true;
    exact_ |= modal && updates_.is_first();
  }
  is_fresh_ = true;
  updates_.forget();
  const std::string& jacobian = potential_.system().setup.solver.jacobian;
  const bool exact = modal && (exact_ || jacobian == "exact");
  const std::vector<double>& K = potential_.stiffness();
  ++result.factorizations;
  if (!(exact ? space.factor_exact(K) : space.factor(K))) return false;
  if (modal && jacobian == "free") {
    if (!solve_by_differences(q, g, d, result)) return false;
  } else {
    space.solve(g, d);
  }
  if (modal && !is_descent()) {
    if (exact) {
      ++result.factorizations;
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
bool ReducedDirection::solve_by_differences(const Points& q, const MatX& g, MatX& d, DirectionResult& result) {
  PositionSpace& space = potential_.space();
  const MatX there = potential_.gradient();
  const double size = std::sqrt(1 + potential_.norm(q));
  const auto unknowns = [&](const MatX& x) { return VecX(Eigen::Map<const VecX>(x.data(), x.size())); };
  const auto product = [&](const VecX& p, VecX& Jp) {
    const double e = 1e-6 * size / p.norm();
    moved_ = Eigen::Map<const MatX>(p.data(), g.rows(), g.cols());
    potential_.gradient_along(q, moved_, e, differenced_);
    Jp = unknowns(differenced_ - there) / e;
  };
  const auto precondition = [&](VecX& v) {
    moved_ = Eigen::Map<const MatX>(v.data(), g.rows(), g.cols());
    space.solve(moved_, differenced_);
    v = -unknowns(differenced_);
  };
  const GmresResult solved = gmres(product, precondition, -unknowns(g));
  result.linear_iterations += solved.iterations;
  d = Eigen::Map<const MatX>(solved.x.data(), g.rows(), g.cols());
  potential_.return_to(q);
  return solved.converged;
}

}  // namespace sinew
