// Solvers of H d = b for a symmetric positive definite H of 3x3 blocks.
#pragma once

#include <string>

#include "sinew/core/archive.h"
#include "sinew/core/preparation.h"
#include "sinew/linalg/newton_system.h"

namespace sinew {

class PcgStop;

struct LinearSolveReport {
  bool ok = true;
  bool indefinite = false;       // failed because H or its preconditioner is not positive definite
  int iterations = 0;            // 0 for direct solvers
  double relative_residual = 0;  // |b - H x| / |b|, if the solver knows it
  std::string reason;            // why it failed
};

// Work of a coarse level in the last compute().
struct LevelWork {
  bool any = false;       // whether there is a level
  bool renewed = false;   // the matrix was formed and factored again
  bool contacts = false;  // only its contacts were renewed
  double seconds = 0;     // total time [s]
  double galerkin = 0;    // part of `seconds` that formed the matrix
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  // Begins a time step. `step` may be destroyed afterwards, but the array step.fixed must outlive the time step.
  virtual void begin_step(const NewtonStructure& /*step*/) {}

  // sees_contacts(): whether compute() uses the contacts of a NewtonSystem. parts(): the parts that the solver needs of
  // the next system.
  virtual bool sees_contacts() const { return false; }
  virtual NewtonParts parts(bool /*has_contacts*/) const { return {}; }

  // Prepares the solution of a system, whose matrices must outlive the solves. Returns false if H is not positive
  // definite.
  virtual bool compute(const NewtonSystem& system) = 0;

  // x = H^{-1} b; b and x have 3 rows() entries. Iterative solvers start from the given x.
  virtual LinearSolveReport solve(const double* b, double* x) = 0;
  // Iterative solvers end according to `stop`, or after max_iterations, instead of by their own rule.
  virtual LinearSolveReport solve(const double* b, double* x, PcgStop& /*stop*/, int /*max_iterations*/) {
    return solve(b, x);
  }

  // Whether solves are exact up to rounding. The Newton solver may then try an indefinite matrix first.
  virtual bool is_direct() const = 0;

  // Total time so far for work that depends only on patterns [s].
  virtual double symbolic_seconds() const { return 0; }
  virtual LevelWork level_work() const { return {}; }

  // Adds what copies of a simulation share.
  virtual void share(Preparation&) const {}

  // Saves the data of earlier matrices that affect later solutions, bit for bit.
  virtual void save(ArchiveWriter&) const {}
  virtual void load(const ArchiveReader&) {}
};

// z = M^{-1} r for a symmetric positive definite M that resembles H.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;

  // As in LinearSolver.
  virtual void begin_step(const NewtonStructure& /*step*/) {}
  virtual bool sees_contacts() const { return false; }
  virtual NewtonParts parts(bool /*has_contacts*/) const { return {}; }
  virtual bool compute(const NewtonSystem& system) = 0;
  virtual LevelWork level_work() const { return {}; }
  virtual void share(Preparation&) const {}

  virtual void apply(const double* r, double* z) const = 0;

  // Whether z is accurate also for the softest motions of whole bodies, as with a coarse space.
  virtual bool sees_soft_motions() const { return false; }

  // Reports the first solve since compute(): its iterations, and by how many powers of ten it reduced r^T M^{-1} r.
  virtual void solved(const LinearSolveReport& /*report*/, double /*decades*/) {}

  // Whether rows [begin, end) of z depend only on the same rows of r. PCG then fuses apply_rows() with its vector
  // updates.
  virtual bool is_local() const { return false; }
  virtual void apply_rows(const double* /*r*/, double* /*z*/, Index /*begin*/, Index /*end*/) const {}
};

}  // namespace sinew
