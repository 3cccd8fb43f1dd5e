#include "sinew/reduced/reduced_direction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/core/timer.h"
#include "sinew/linalg/cg.h"
#include "sinew/linalg/gmres.h"
#include "sinew/reduced/reduced_basis.h"

namespace sinew {

namespace {

// Rounding of d^T H d over d^T D d, D the diagonal of H: n eps is 1e-13 for some hundred terms, and one digit more.
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

// Nothing that influences bits outlives a step: pairs of contacts, updates and trials start anew.
void ReducedDirection::begin_step() {
  if (potential_.own_contact()) H_->forget_pairs();  // of springs they are always the same
  updates_.forget();
  exact_ = false;
  hessian_policy_.begin_step();
}

// Broyden's updates hold for full steps alone: after a shortened one y - H d is not known.
void ReducedDirection::accepted(const Points&, double alpha, double) {
  hessian_policy_.took(alpha);
  if (alpha == 1)
    updates_.took(d_);
  else
    updates_.forget();
}

// A kept factor that gave a direction of no use is replaced once.
bool ReducedDirection::retry() {
  if (is_fresh_) return false;
  updates_.forget();
  return true;
}

// One direction (theory, section 6, "Mixed elements", and section 9, "The step"):
//
// 1. P, K and g at the points                                      (ReducedPotential::linearize()).
// 2. Right-hand side: g, and how forces change as what is prescribed moves on.
// 3. H d = -g: with the factor of an earlier iteration and Broyden's updates, or with a new one.
// 4. ds and l at the points from d                                 (SMFEM, equations 7 and 8).
// 5. If an unprojected matrix leads the mixed merit function uphill, steps 3 and 4 with the condensed matrix.
DirectionResult ReducedDirection::direction(const Points& q, const Points& drift, Points& g, Points& d) {
  DirectionResult result;
  {
    ScopedTimer timer(potential_.assembly_seconds);
    potential_.linearize(q, at_);
  }
  // Step 2.
  g.setZero(3, potential_.columns());
  potential_.packed().write_unknowns(at_.g, g);
  rhs_ = at_.g;
  const bool open = drift.size() > 0;
  if (open) {
    updates_.forget();
    potential_.packed().read_unknowns(drift, moved_);
    rhs_ += moved_;
  }
  {
    // Step 3.
    ScopedTimer timer(result.linear_solve_seconds);
    result.ok = solve(q, rhs_, d_, result);
  }
  if (!result.ok) {
    result.reason = "the matrix of the reduced step is not positive definite, or not finite";
    return result;
  }
  potential_.packed().write_unknowns(d_, d);
  // Step 4. Lengths are in the norm of the Hessian, which mixes no units.
  hessian_policy_.found(
      std::sqrt(std::abs(rhs_.cwiseProduct(d_).sum())));  // in the norm of the Hessian, of any unknowns
  potential_.finish_direction(d);
  // Step 5.
  if (unprojected_ && potential_.is_mixed() && !(potential_.slope(g, d) < 0)) {
    hessian_policy_.tried(false);
    ScopedTimer timer(result.linear_solve_seconds);
    result.ok = solve(q, rhs_, d_, result);
    if (!result.ok) return result;
    potential_.packed().write_unknowns(d_, d);
    potential_.finish_direction(d);
  }
  if (open) updates_.forget();
  return result;
}

// The simplified Newton correction of the stop test, with the factor at hand.
DirectionResult ReducedDirection::correction(const Points&, const Points& g, Points& d) {
  DirectionResult result;
  potential_.packed().read_unknowns(g, moved_);
  H_->solve(moved_, differenced_);
  potential_.packed().write_unknowns(differenced_, d);
  return result;
}

// A factor of an earlier iteration serves for dense modes without contact: their matrix is small and full, and its
// O(r^3) costs more than the rest of an iteration. Contact changes it too much.
bool ReducedDirection::can_keep_factor() const {
  const ReducedBasis* basis = potential_.kinematics().basis();
  return !potential_.is_mixed() && basis && basis->is_dense() && potential_.contact().contacts().empty() &&
         potential_.system().setup.solver.jacobian != "free";
}

// H d = -g:
//
// 1. The kept factor and Broyden's good method (Deuflhard 2011, section 2.1.4), as long as directions shrink by half
//    and lead downhill.
// 2. Else a new factor: of the symmetric matrix, or of the derivative of modal forces (EP, equation 11) where
//    directions of the symmetric one have shrunk by less than half.
// 3. jacobian "free": GMRES or conjugate gradients with differences of forces, preconditioned by 2 (EP, appendix C).
// 4. A direction of modal forces that leads uphill is replaced by that of the symmetric matrix.
bool ReducedDirection::solve(const Points& q, const MatX& g, MatX& d, DirectionResult& result) {
  const auto is_descent = [&] { return g.cwiseProduct(d).sum() < 0; };
  const bool modal = !potential_.gradients().has_energy();
  is_fresh_ = false;
  // Step 1.
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

// A new matrix: the Hessian of E without projection where directions hardly get shorter (newton/hessian_policy.h), and
// the projected or condensed one otherwise.
bool ReducedDirection::factor_anew(const Points& q, bool exact, DirectionResult& result) {
  const auto attempt = [&](Projection projection) {
    ++result.factorizations;
    unprojected_ = projection == Projection::none;
    if (!unprojected_) return factor(exact);
    potential_.assemble_unprojected(q, *H_);
    return H_->factor();
  };
  return potential_.gradients().has_energy() ? hessian_policy_.run(attempt) : attempt(Projection::psd);
}

// H with the curvature G : d2y of positions with frames; if that makes it indefinite, without it, which is the matrix
// of Gauss and Newton. The derivative of modal forces always has it.
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

// A direction of negative curvature by conjugate gradients for the unprojected H, preconditioned by the projected one
// (linalg/negative_curvature.h). Modal cubature has no energy, of which an equilibrium could be a minimum.
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
  if (result == Definiteness::indefinite) potential_.packed().write_unknowns(found, z);
  return result;
}

// EP, appendix C: J d = -g by products with differences of forces (Pernice and Walker 1998),
//
//   J p ~ (g(y + e p) - g(y)) / e,   e = 1e-6 sqrt(1 + |y|) / |p|,
//
// preconditioned by the symmetric matrix. J is not symmetric (EP, equation 11), so that conjugate gradients, which the
// paper takes, may stall or find negative curvature: the direction is then that of the symmetric matrix, with which
// they begin. g is the gradient with or without drift.
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
  if (potential_.system().setup.solver.krylov == "cg") {
    const CgResult solved = cg(product, precondition, -unknowns(g));
    result.linear_iterations += solved.iterations;
    if (solved.end == CgEnd::converged)
      d = Eigen::Map<const MatX>(solved.x.data(), g.rows(), g.cols());
    else
      H_->solve(g, d);
    return true;
  }
  const GmresResult solved = gmres(product, precondition, -unknowns(g));
  result.linear_iterations += solved.iterations;
  d = Eigen::Map<const MatX>(solved.x.data(), g.rows(), g.cols());
  return solved.converged;
}

}  // namespace sinew
