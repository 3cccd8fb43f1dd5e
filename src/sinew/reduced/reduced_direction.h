// Newton's direction of a reduced or mixed method. It uses a dense or sparse factorisation, an earlier factorisation
// with Broyden's updates, or only products with the matrix.
#pragma once

#include <memory>

#include "sinew/newton/hessian_policy.h"
#include "sinew/reduced/broyden_updates.h"
#include "sinew/reduced/reduced_potential.h"
#include "sinew/solver/descent_direction.h"

namespace sinew {

class ReducedDirection final : public DescentDirection {
 public:
  // `potential` must outlive this.
  explicit ReducedDirection(ReducedPotential& potential);

  void begin_step();

  DirectionResult direction(const Points& q, const Points& drift, Points& g, Points& d) override;
  // Solves with the last factorisation.
  DirectionResult correction(const Points& q, const Points& g, Points& d) override;
  void accepted(const Points& q, double alpha, double model_error) override;
  bool sees_contacts() const override { return !potential_.kinematics().is_curved(); }
  void lagged_anew() override { updates_.forget(); }
  // Replaces a reused factorisation by a new one.
  bool retry() override;
  Definiteness curvature(const Points& q, Points& z) override;

 private:
  bool can_keep_factor() const;
  bool factor(bool exact);
  bool factor_anew(const Points& q, bool exact, DirectionResult& result);
  bool solve(const Points& q, const MatX& g, MatX& d, DirectionResult& result);
  bool solve_by_differences(const Points& q, const MatX& g, MatX& d, DirectionResult& result);

  ReducedPotential& potential_;
  ReducedLinearization at_;  // state where the last direction was computed
  std::unique_ptr<CoordinateHessian> H_;
  BroydenUpdates updates_;
  // Uses the exact derivative for the rest of the step, in place of modal cubature's symmetric matrix.
  bool exact_ = false;
  bool is_fresh_ = true;  // whether the last direction had its own factorisation
  HessianPolicy hessian_policy_{false};
  bool unprojected_ = false;  // whether the last factorisation was of the unprojected Hessian
  MatX rhs_, d_;              // by the unknowns
  MatX moved_, differenced_;  // work arrays
};

}  // namespace sinew
