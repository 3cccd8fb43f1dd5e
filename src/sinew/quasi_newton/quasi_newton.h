// Quasi-Newton directions with one constant matrix (Liu, Bouaziz, Kavan 2017; theory, section 7).
#pragma once

#include <functional>
#include <memory>

#include "sinew/linalg/cholesky.h"
#include "sinew/quasi_newton/part_rotations.h"
#include "sinew/quasi_newton/projective_matrix.h"
#include "sinew/quasi_newton/projective_newton.h"
#include "sinew/quasi_newton/secant_history.h"
#include "sinew/quasi_newton/vertex_rotations.h"
#include "sinew/solver/descent_direction.h"

namespace sinew {

// d = -B grad E. B is the inverse of A = M + a h^2 L of Projective Dynamics, updated with the secant pairs of the
// step's last iterations. A is factored once. The Hessian is assembled only if a step may end, and while obstacles move
// against bodies (projective_newton.h).
class QuasiNewtonDirection : public FullSpaceDirection {
 public:
  explicit QuasiNewtonDirection(std::shared_ptr<const System> system, const Preparation& prepared = {});

  void adapt(Change change) override;
  void begin_step(const StepContext& context, IncrementalPotential& potential) override;
  bool starts_at_predictor() const override { return true; }
  DirectionResult direction(const Points& x, const Points& drift, Points& g, Points& d) override;
  DirectionResult correction(const Points& x, const Points& g, Points& d) override;
  bool sees_contacts() const override { return false; }
  void lagged_anew() override {
    known_ = false;
    next_.resize(3, 0);
  }
  void accepted(const Points& x, double alpha, double model_error) override;
  bool retry() override;
  bool confirm() override;
  void end_step() override {}
  void share(Preparation& prepared) const override { prepared.projective = matrix_.shared(); }

 private:
  void subtract_contact_change(const Points& x);
  void learn(const Points& x, const Points& g);
  void solve(Points& q, Points& r);
  bool solve_first(const Points& q, Points& r);
  void follow_prescribed(const Points& d);
  double remaining(const Points& g, const Points& d);
  void extrapolate(const Points& x, const Points& g, Points& d);
  bool factor_hessian(const Points& x, DirectionResult& result);
  bool update_matrix(DirectionResult& result);
  DirectionResult newton_direction(const Points& x, const Points& drift, Points& g, Points& d);

  std::shared_ptr<const System> system_;
  const QuasiNewtonSetup& setup_;
  ProjectiveMatrix matrix_;
  PartRotations rotations_;
  SecantHistory history_;
  std::function<void(const Points& q, Points& r)> first_;
  const StepContext* context_ = nullptr;
  IncrementalPotential* potential_ = nullptr;
  // The last position and its gradient, until the next gradient makes a secant pair with them.
  Points x_, g_;
  // Gradients of the old and of the new set of contacts at x, if the set has changed.
  Points kept_contacts_, contacts_;
  bool known_ = false;
  bool plain_ = false;  // the next direction uses A without secant pairs
  ProjectiveNewton newton_;
  bool wants_newton_ = false;  // the next direction is a Newton direction
  bool was_newton_ = false;    // the last direction was a Newton direction
  Points next_;                // Newton direction at x_ if the stop test has computed it, else empty
  Points gradient_;            // work space
  const Points none_;
  Points s_, y_, q_;  // work space
  // For comparison: the Hessian at rest or at the step's first iterate, its warping, and Chebyshev extrapolation.
  std::unique_ptr<SparseCholesky> factor_;
  bool has_first_ = false;  // whether B_0 is that of this step
  VertexRotations warp_;
  Points warped_;  // work space
  SymBlockMatrix hessian_;
  double factor_scale_ = 0;         // scale of the step for which factor_ was made
  std::vector<char> factor_fixed_;  // fixed coordinates of that step
  Points x_before_;
  int iteration_ = 0;
  std::vector<double> decrements_;  // sqrt(-g . d) of each direction of the step
  double omega_ = 1;
};

}  // namespace sinew
