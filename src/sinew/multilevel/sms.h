// The multilevel direction as in its paper, for comparison (Sparse Material-aware Subspaces: SMS, section 3.7,
// algorithms 1 and 2; theory, section 5).
#pragma once

#include <memory>
#include <vector>

#include "sinew/linalg/pcg.h"
#include "sinew/multilevel/hierarchy.h"
#include "sinew/multilevel/subspace_level.h"
#include "sinew/solver/descent_direction.h"

namespace sinew {

// d = d_s + d_f. The part d_s is a correction by an affine motion of each body, then a correction by the basis for the
// remaining residual. The part d_f comes from a fixed number of PCG iterations in full space with the block diagonal as
// preconditioner.
class SmsDirection : public FullSpaceDirection {
 public:
  explicit SmsDirection(std::shared_ptr<const System> system, const Preparation& prepared = {});

  void begin_step(const StepContext& context, IncrementalPotential& potential) override;
  DirectionResult direction(const Points& x, const Points& drift, Points& g, Points& d) override;
  void accepted(const Points& x, double alpha, double model_error) override;
  void end_step() override {}
  void share(Preparation& prepared) const override;

 private:
  void build(const std::vector<char>& fixed);
  void make_levels();
  void update_hessian(const Points& x, Points& g, LevelReport& levels);
  void correct(SubspaceLevel& level, long& iterations, double& seconds, LevelReport& levels);
  void keep_descent();
  bool refine(LevelReport& levels);

  std::shared_ptr<const System> system_;
  const PrintedSetup& settings_;
  std::shared_ptr<const Hierarchy> hierarchy_;
  std::unique_ptr<SubspaceLevel> affine_, subspace_;
  PcgSolver pcg_;  // computes d_f
  int refinement_ = 0;
  std::vector<char> fixed_vertices_;  // flags of the vertices that are fixed in the bases
  const StepContext* context_ = nullptr;
  IncrementalPotential* potential_ = nullptr;

  SymBlockMatrix H_;           // from all tets; the elastic part may belong to an earlier x
  SymBlockMatrix H_cubature_;  // from the tets of the cubature
  SymBlockMatrix elastic_;     // kept for several directions
  int age_ = 0;                // number of directions that used elastic_
  double mean_step_ = 1;       // moving average of line-search steps

  Points unused_gradient_;
  // 3 x dynamic_count: -g, residual, a correction, H d, and the two parts of the direction.
  Points rhs_, r_, c_, Hd_, d_s_, d_f_;
};

}  // namespace sinew
