// Newton directions by conjugate gradients, preconditioned with the constant matrix of Projective Dynamics.
// Quasi-Newton steps use them to estimate the distance to the solution, and to respond to moving obstacles.
#pragma once

#include <vector>

#include "sinew/linalg/pcg.h"
#include "sinew/linalg/row_elimination.h"
#include "sinew/newton/newton_assembly.h"
#include "sinew/quasi_newton/projective_matrix.h"
#include "sinew/solver/descent_direction.h"

namespace sinew {

// z = M^{-1} r. M eliminates the vertices in contact exactly (linalg/row_elimination.h) and then uses A of
// ProjectiveMatrix, which does not contain contacts.
class ProjectivePreconditioner : public Preconditioner {
 public:
  explicit ProjectivePreconditioner(ProjectiveMatrix& matrix) : matrix_(matrix) {}

  void begin_step(const NewtonStructure&) override { elimination_.reset(); }
  bool sees_contacts() const override { return true; }
  bool compute(const NewtonSystem& system) override;
  void apply(const double* r, double* z) const override;

 private:
  ProjectiveMatrix& matrix_;
  mutable RowElimination elimination_;  // solves in its own work space
  mutable Points t_, solved_;           // work space
};

class ProjectiveNewton {
 public:
  // The matrix must be factored for the current step before direction() is called. The matrix must outlive this.
  explicit ProjectiveNewton(ProjectiveMatrix& matrix) : preconditioner_(matrix), assembly_(true) {}

  void adapt(Change change) { assembly_.adapt(change); }
  void begin_step(const StepContext& context, IncrementalPotential& potential);

  // Solves H d = -g - H_fp d_p - drift at x, as DescentDirection::direction(). Conjugate gradients end, with may_stop
  // set, once the energy norm of the error is below energy_share of that of d. Both the estimate and the gains of the
  // iterations must agree.
  DirectionResult direction(const Points& x, const Points& drift, double energy_share, Points& g, Points& d);

 private:
  LinearSolveReport solve(const NewtonSystem& system, double energy_share);

  ProjectivePreconditioner preconditioner_;
  NewtonAssembly assembly_;
  ConjugateGradients iterations_;
  const StepContext* context_ = nullptr;
  IncrementalPotential* potential_ = nullptr;
  Points solution_;  // work space
};

}  // namespace sinew
