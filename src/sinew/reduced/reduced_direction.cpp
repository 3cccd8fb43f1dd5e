#include "sinew/reduced/reduced_direction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/timer.h"
#include "sinew/linalg/gmres.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {

namespace {

// Of d^T H d over d^T D d with the diagonal D: n eps for n of some hundred terms, 1e-13, and a digit more.
constexpr double rounding_of_curvature = 1e-12;
// Of conjugate gradients for the curvature, at most.
constexpr int curvature_iterations = 100;

}  // namespace

ReducedDirection::ReducedDirection(ReducedPotential& potential) : potential_(potential) {
  const Kinematics& kinematics = potential.kinematics();
  H_ = kinematics.make_hessian();
  updates_.prepare(kinematics.unknown_rows(), kinematics.unknown_columns());
  for (MatX* m : {&at_.g, &rhs_, &d_, &moved_, &differenced_})
    m->setZero(kinematics.unknown_rows(), kinematics.unknown_columns());
}

void ReducedDirection::begin_step() {
  if (potential_.own_contact()) H_->forget_pairs();  // of springs they are always the same
  updates_.forget();
  exact_ = false;
  trials_.begin_step();
}

void ReducedDirection::accepted(const Points&, double alpha, double) {
  trials_.took(alpha);
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
    potential_.linearize(q, at_);
  }
  g.setZero(3, potential_.columns());
  potential_.write_unknowns(at_.g, g);
  rhs_ = at_.g;
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
  trials_.found(std::sqrt(std::abs(rhs_.cwiseProduct(d_).sum())));  // in the norm of the Hessian, of any unknowns
  potential_.finish_direction(d);
  // Far from s = S(F) it may lead uphill.
  if (unprojected_ && potential_.is_mixed() && !(potential_.slope(g, d) < 0)) {
    trials_.tried(false);
    ScopedTimer timer(result.linear_solve_seconds);
    result.ok = solve(q, rhs_, d_, result);
    if (!result.ok) return result;
    potential_.write_unknowns(d_, d);
    potential_.finish_direction(d);
  }
  if (open) updates_.forget();
  return result;
}

DirectionResult ReducedDirection::correction(const Points&, const Points& g, Points& d) {
  DirectionResult result;
  potential_.read_unknowns(g, moved_);
  H_->solve(moved_, differenced_);
  potential_.write_unknowns(differenced_, d);
  return result;
}

// Matrices of few modes cost more than the rest of an iteration. Contact changes them too much to be kept.
bool ReducedDirection::can_keep_factor() const {
  const ReducedBasis* basis = potential_.kinematics().basis();
  return !potential_.is_mixed() && basis && basis->is_dense() && potential_.contact().contacts().empty() &&
         potential_.system().setup.solver.jacobian != "free";
}

// With the matrix of an earlier iteration and Broyden's updates where these converge fast, else with a new one. Where
// directions of modal cubature's symmetric matrix shrink by less than half the derivative itself takes its place for
// the rest of the step, but for directions of it that lead uphill.
bool ReducedDirection::solve(const Points& q, const MatX& g, MatX& d, DirectionResult& result) {
  const auto is_descent = [&] { return g.cwiseProduct(d).sum() < 0; };
  const bool modal = !potential_.gradients().has_energy();
  is_fresh_ = false;
  if (updates_.is_usable() && can_keep_factor()) {
    H_->solve(g, d);
    if (updates_.improve(d) && is_descent()) return true;
    exact_ |= modal && updates_.is_first();
  }
  is_fresh_ = true;
  updates_.forget();
  const std::string& jacobian = potential_.system().setup.solver.jacobian;
  const bool exact = modal && (exact_ || jacobian == "exact");
  if (!factor_anew(q, exact, result)) return false;
  if (modal && jacobian == "free") {
    if (!solve_by_differences(q, g, d, result)) return false;
  } else {
    H_->solve(g, d);
  }
  if (modal && !is_descent()) {
    if (exact) {
      ++result.factorizations;
      if (!factor(false)) return false;
    }
    H_->solve(g, d);
  }
  if (can_keep_factor()) H_->scales(updates_.restart());
  return true;
}

// Where directions hardly get shorter first the Hessian of E as it is, as of newton. For mixed elements it is that of E
// with stretches that follow, s = S(F): it has the term l : d2S/dy2 that their own leaves out.
bool ReducedDirection::factor_anew(const Points& q, bool exact, DirectionResult& result) {
  const auto attempt = [&](Projection projection) {
    ++result.factorizations;
    unprojected_ = projection == Projection::none;
    if (!unprojected_) return factor(exact);
    potential_.assemble_unprojected(q, *H_);
    return H_->factor();
  };
  return potential_.gradients().has_energy() ? trials_.run(attempt) : attempt(Projection::psd);
}

// The Hessian with the curvature of positions; where that makes it indefinite without, which leaves the matrix of Gauss
// and Newton. The exact derivative of modal forces has it always.
bool ReducedDirection::factor(bool exact) {
  const bool is_curved = potential_.kinematics().is_curved();
  for (const bool curvature : {true, false}) {
    if (curvature && !is_curved) continue;
    potential_.assemble(at_, curvature, exact, *H_);
    if (H_->factor()) return true;
    if (exact) break;
  }
  return false;
}

// By conjugate gradients for the Hessian as it is, preconditioned by the projected one. Modal cubature has no energy,
// of which an equilibrium could be a minimum.
Definiteness ReducedDirection::curvature(const Points& q, Points& z) {
  if (!potential_.gradients().has_energy()) return Definiteness::unknown;
  updates_.forget();
  potential_.linearize(q, at_);
  if (!factor(false)) return Definiteness::unknown;
  const auto H = potential_.kinematics().make_hessian();
  potential_.assemble_unprojected(q, *H);
  MatX D = rhs_;
  H->diagonal(D);
  const auto unknowns = [&](const double* values) { return Eigen::Map<const MatX>(values, D.rows(), D.cols()); };
  const SymmetricOperator A = {{D.data(), static_cast<std::size_t>(D.size())},
                               [&](const double* x, double* y) {
                                 moved_ = unknowns(x);
                                 H->multiply(moved_, differenced_);
                                 std::copy_n(differenced_.data(), D.size(), y);
                                 return moved_.cwiseProduct(differenced_).sum();
                               },
                               [&](const double* r, double* s) {
                                 moved_ = -unknowns(r);
                                 H_->solve(moved_, differenced_);
                                 std::copy_n(differenced_.data(), D.size(), s);
                               },
                               rounding_of_curvature};
  MatX found = D;
  const Definiteness result = find_negative_curvature(A, curvature_iterations, found.data());
  z.setZero(3, potential_.columns());
  if (result == Definiteness::indefinite) potential_.write_unknowns(found, z);
  return result;
}

// EP, appendix C: J d = -g, g being the gradient with or without drift, by products with differences of the forces, J p
// ~ (g(y + e p) - g(y)) / e with e = 1e-6 sqrt(1 + |y|) / |p| (Pernice and Walker 1998), preconditioned by the
// symmetric matrix. GMRES, since J is not symmetric.
bool ReducedDirection::solve_by_differences(const Points& q, const MatX& g, MatX& d, DirectionResult& result) {
  const double size = std::sqrt(1 + potential_.norm(q));
  const auto unknowns = [&](const MatX& x) { return VecX(Eigen::Map<const VecX>(x.data(), x.size())); };
  const auto product = [&](const VecX& p, VecX& Jp) {
    const double e = 1e-6 * size / p.norm();
    moved_ = Eigen::Map<const MatX>(p.data(), g.rows(), g.cols());
    potential_.gradient_along(q, moved_, e, differenced_);
    Jp = unknowns(differenced_ - at_.g) / e;
  };
  const auto precondition = [&](VecX& v) {
    moved_ = Eigen::Map<const MatX>(v.data(), g.rows(), g.cols());
    H_->solve(moved_, differenced_);
    v = -unknowns(differenced_);
  };
  const GmresResult solved = gmres(product, precondition, -unknowns(g));
  result.linear_iterations += solved.iterations;
  d = Eigen::Map<const MatX>(solved.x.data(), g.rows(), g.cols());
  return solved.converged;
}

}  // namespace sinew
