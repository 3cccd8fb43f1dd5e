// Newton's method in full space (theory, section 4), with any linear solver, exact or inexact.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sinew/linalg/pcg.h"
#include "sinew/newton/hessian_policy.h"
#include "sinew/newton/inexactness.h"
#include "sinew/newton/newton_assembly.h"
#include "sinew/solver/descent_direction.h"

namespace sinew {

class NewtonDirection : public FullSpaceDirection {
 public:
  // A direct solver tries the exact Hessian first and projects it only if the factorisation fails. PCG detects negative
  // curvature late, so it tries the exact Hessian only if projected Hessians converge slowly. inexactness: accuracy of
  // an iterative solver; none: the solver's own accuracy.
  explicit NewtonDirection(std::unique_ptr<LinearSolver> solver, std::optional<Inexactness> inexactness = {});

  // Not with block Jacobi: with local iterations, validation/stack_of_ten leans too far in 9 of 10 starts, else in 1.
  bool takes_local_steps() const override { return !pcg_ || pcg_->preconditioner().sees_soft_motions(); }
  void adapt(Change change) override { assembly_.adapt(change); }
  void begin_step(const StepContext& context, IncrementalPotential& potential) override;
  DirectionResult direction(const Points& x, const Points& drift, Points& g, Points& d) override;
  DirectionResult correction(const Points& x, const Points& g, Points& d) override;
  void accepted(const Points& x, double alpha, double model_error) override;
  Definiteness curvature(const Points& x, Points& z) override;
  bool confirm() override { return !inexactness_ || inexactness_->confirm(); }
  void end_step() override {}
  void share(Preparation& prepared) const override { solver_->share(prepared); }
  void save(ArchiveWriter& archive) const override { solver_->save(archive); }
  void load(const ArchiveReader& archive) override { solver_->load(archive); }

 private:
  bool attempt(Projection projection, const Points& x, const Points& drift, Points& g, const Points& d,
               DirectionResult& result);
  bool compute(const NewtonSystem& system, DirectionResult& result);
  bool solve(DirectionResult& result);
  void fail(DirectionResult& result) const;
  Definiteness factored_curvature(const Points& x, Points& z);

  std::unique_ptr<LinearSolver> solver_;
  PcgSolver* pcg_;  // solver_ if it is PCG, else null
  std::optional<Inexactness> inexactness_;
  NewtonAssembly assembly_;
  HessianPolicy hessian_policy_;
  IncrementalPotential* potential_ = nullptr;
  const StepContext* context_ = nullptr;
  bool definite_ = false;  // whether the last direction used the exact Hessian
  int most_linear_ = 0;    // largest number of iterations of a linear solve in this step
  Points rhs_, solution_;  // 3 x dynamic_count
};

}  // namespace sinew
