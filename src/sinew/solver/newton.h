// Newton's method in full space (methods, section 4): the reference that all others are measured against.
#pragma once

#include <memory>

#include "sinew/linalg/linear_solver.h"
#include "sinew/solver/descent_direction.h"
#include "sinew/solver/exact_trials.h"

namespace sinew {

class NewtonDirection : public DescentDirection {
 public:
  // With a direct solver the exact Hessian is tried first and projected only when its factorisation fails. PCG tells it
  // by a direction of negative curvature, which comes late: there it is tried where projected ones creep.
  explicit NewtonDirection(std::unique_ptr<LinearSolver> solver);

  void begin_step(const StepContext& context, IncrementalPotential& potential) override;
  DirectionResult direction(const Points& x, const Points& drift, Points& g, Points& d) override;
  DirectionResult correction(const Points& x, const Points& g, Points& d) override;
  void accepted(const Points& x, double alpha, double misfit) override;
  void end_step() override {}
  void save(ArchiveWriter& archive) const override { solver_->save(archive); }
  void load(const ArchiveReader& archive) override { solver_->load(archive); }

 private:
  bool solve(DirectionResult& result);
  void truncate(DirectionResult& result);
  bool factorize(const Points& x, Projection projection, const Points& drift, Points& g, const Points& d,
                 DirectionResult& result);

  std::unique_ptr<LinearSolver> solver_;
  IncrementalPotential* potential_ = nullptr;
  const StepContext* context_ = nullptr;
  std::shared_ptr<const BlockPattern> prepared_;  // the pattern the solver was prepared for
  SymBlockMatrix H_;
  Points rhs_, solution_;  // 3 x dynamic_count
  std::string reason_;     // why the last solve stopped early
  ExactTrials trials_;
};

}  // namespace sinew
