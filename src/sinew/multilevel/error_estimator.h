// Estimates the distance of a state from the full-space solution of its step, by one multilevel correction (theory,
// section 8).
#pragma once

#include <memory>

#include "sinew/core/preparation.h"
#include "sinew/linalg/pcg.h"
#include "sinew/newton/newton_assembly.h"
#include "sinew/solver/descent_direction.h"
#include "sinew/solver/state_error.h"

namespace sinew {

// With g = grad E and the Hessian H at a state, d approximates -H^-1 g by conjugate gradients with the multilevel
// preconditioner M. The remaining error of d is about M^-1 (-g - H d), and
//
//   lack = |M^-1 (-g - H d)| / |d|,   error_i = (1 + lack) |d_i|.
//
// g alone does not measure the error: in a soft mode a tiny residual means a large error. The Hessians of contacts are
// projected. Elasticity is projected only if H is not positive definite, because projection makes rotating bodies too
// stiff and d too short.
class ErrorEstimator {
 public:
  // Makes the basis of the preconditioner with a number of handles that suits the scene. levels: where copies of a
  // simulation find it; null: nowhere.
  explicit ErrorEstimator(std::shared_ptr<const System> system, std::shared_ptr<Shared<EstimatorLevels>> levels = {});

  void adapt(Change change) { assembly_.adapt(change); }
  // context and potential are kept by reference. Forgets everything from earlier steps that affects results.
  void begin_step(const StepContext& context, IncrementalPotential& potential);

  // Computes g (3 x dynamic_count) and d (3 x n_all, zero at prescribed coordinates) at x (3 x n_all) with the
  // potential's contacts. The result's `remaining` is 1 + lack. The result is not ok if numbers are not finite.
  // further: added to grad E for the solve, but not to g; 3 x dynamic_count, or empty.
  DirectionResult estimate(const Points& x, Points& g, Points& d, const Points& further = {});

  // Returns the factor by which further Newton steps would lengthen the estimated d: 1 / (1 - theta). The contraction
  // theta is |d' - (1 - t) d| / (t^2 |d|) with the simplified correction d' at x + t d (Deuflhard 2004, section 3.3).
  // Here t is the largest step that filters allow. Costs a gradient and a solve. The potential keeps the contacts of x.
  double lengthening(const Points& x, const Points& d, const Points& further = {});

  // Returns whether the unprojected Hessian of E is positive definite at x, with the potential's contacts. If not, sets
  // z (3 x dynamic_count) to a direction of negative curvature.
  Definiteness curvature(const Points& x, Points& z);

  // H of the last estimate. Rows and columns of fixed coordinates are zero except for the diagonal.
  const SymBlockMatrix& hessian() const { return *H_; }

 private:
  bool solve(const Points& x, bool exact, const Points& further, Points& g, Points& d, DirectionResult& result);

  PcgSolver solver_;
  NewtonAssembly assembly_;
  const StepContext* context_ = nullptr;
  IncrementalPotential* potential_ = nullptr;
  const SymBlockMatrix* H_ = nullptr;
  bool indefinite_ = false;  // in this step, H with exact elasticity was indefinite
  SymBlockMatrix elastic_;
  const Points no_drift_;
  Points rhs_, solution_;  // 3 x dynamic_count
};

}  // namespace sinew
