// The multilevel direction (SMS, sections 3.2 and 3.7; methods, section 5): an affine correction of each body, one from
// sparse material-aware bases, and some iterations of PCG in full space, or as many as an exact direction takes.
#pragma once

#include <memory>

#include "sinew/linalg/pcg.h"
#include "sinew/reduced/hierarchy.h"
#include "sinew/reduced/two_level.h"
#include "sinew/solver/descent_direction.h"
#include "sinew/solver/exact_trials.h"
#include "sinew/solver/forcing_term.h"
#include "sinew/solver/renewal_policy.h"

namespace sinew {

// What ends the refinement of a direction.
enum class Refinement {
  inexact,     // solver.multilevel.forcing: part of the error is left to the next direction
  to_residual  // solver.linear_tolerance of the residual: Newton's own direction, whose levels are a preconditioner
};

class MultilevelDirection : public DescentDirection {
 public:
  explicit MultilevelDirection(std::shared_ptr<const System> system, Refinement refinement = Refinement::inexact);

  void adapt(Change change) override;
  void begin_step(const StepContext& context, IncrementalPotential& potential) override;
  DirectionResult direction(const Points& x, const Points& drift, Points& g, Points& d) override;
  DirectionResult correction(const Points& x, const Points& g, Points& d) override;
  void accepted(const Points& x, double alpha, double misfit) override;
  bool confirm() override;
  void end_step() override {}

 private:
  enum class Refined { enough, capped, indefinite };

  void build(const std::vector<char>& fixed);
  bool may_be_exact() const;
  Renewal choose_renewal() const;
  bool has_soft_contacts() const;
  bool solve(const Points& x, Projection projection, const Points& drift, Points& g, const Points& d,
             LevelReport& levels);
  bool correct_and_refine(const Points& x, Projection projection, const Points& drift, Points& g, const Points& d,
                          LevelReport& levels);
  void update_hessian(const Points& x, Projection projection, Points& g, LevelReport& levels);
  void find_soft_contacts(const Points& x, Projection projection, LevelReport& levels);
  bool renew(SubspaceLevel& level) const;
  bool correct(SubspaceLevel& level, const SymBlockMatrix& residual_from, long& iterations, double& seconds,
               LevelReport& levels);
  void keep_descent();
  bool softens_contacts() const;
  void find_vertex_stiffness();
  bool may_round() const;
  std::vector<Index> touching_vertices();
  bool may_be_last() const;
  bool refine(const Points& x, Projection projection, LevelReport& levels);
  double forcing() const;
  DirectionCriteria direction_criteria() const;
  Refined run_refinement(DirectionCriteria criteria, int max_iterations, bool first, LevelReport& levels);
  double residual_tolerance() const;
  Refined run_refinement(PcgStop& stop, int max_iterations, LevelReport& levels);
  bool renew_contacts(const Points& x, Projection projection, LevelReport& levels);
  Refined finish_last(Refined found, DirectionCriteria criteria, long iterations, LevelReport& levels);

  std::shared_ptr<const System> system_;
  const MultilevelSetup& settings_;
  Refinement refinement_;
  std::shared_ptr<const Hierarchy> hierarchy_;
  std::unique_ptr<SubspaceLevel> affine_, subspace_;
  TwoLevelPreconditioner* preconditioner_ = nullptr;  // of pcg_
  ForcingTerm forcing_;
  PcgSolver pcg_;
  int most_refinement_ = 0;  // iterations
  const StepContext* context_ = nullptr;
  IncrementalPotential* potential_ = nullptr;
  std::vector<char> held_;      // the vertices that the bases know as fixed
  std::vector<char> touching_;  // work

  SymBlockMatrix H_;  // with all tets; its elastic part may be older than x
  SymBlockMatrix H_cubature_;
  Points unused_gradient_;
  SymBlockMatrix H_bodies_;               // without contacts, where those of reduced matrices are softer
  SymBlockMatrix H_contacts_;             // these
  std::vector<double> vertex_stiffness_;  // that they are in series with, for the scale and inertia that follow
  double stiffest_ = 0;                   // h^2 K_ii / m_i of the bodies alone, the largest
  double stiffness_scale_ = 0;
  bool stiffness_inertia_ = false;
  bool softened_ = false;   // contacts of reduced matrices are softer
  SymBlockMatrix elastic_;  // kept, when it may age
  int age_ = 0;             // directions that used elastic_
  double last_step_ = 1;    // of the line search
  double mean_step_ = 1;    // moving average of line-search steps

  Renewal renewal_ = Renewal::all;  // of the reduced matrices, for this direction
  RenewalPolicy policy_;

  bool truncated_ = false;  // the last direction could not be found well enough to end a step
  bool rough_ = false;      // it was short, or small in energy, and not both
  bool careful_ = false;    // ... which was not good enough to end the step with

  ExactTrials trials_{false};
  bool exact_ = false;  // H_ is not projected

  // 3 x dynamic_count: right-hand side, residual, corrections, sums.
  Points rhs_, r_, c_, Hd_, subspace_step_, refinement_step_;
};

}  // namespace sinew
