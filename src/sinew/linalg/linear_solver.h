// Solvers of H d = b for symmetric positive definite H in 3x3 blocks.
#pragma once

#include <string>

#include "sinew/core/archive.h"
#include "sinew/linalg/newton_system.h"

namespace sinew {

class PcgStop;

struct LinearSolveReport {
  bool ok = true;
  bool indefinite = false;       // not ok because H or its preconditioner was found not positive definite
  int iterations = 0;            // 0 for direct solvers
  double relative_residual = 0;  // |b - H x| / |b|, as far as the solver knows it
  std::string reason;            // why not ok
};

// Work of a coarse level in the last compute().
struct LevelWork {
  bool any = false;       // whether there is a level
  bool renewed = false;   // its matrix was formed and factored
  bool contacts = false;  // ... with the same bodies and other contacts
  double seconds = 0;     // of all of it
  double galerkin = 0;    // of forming the matrix, a part of that [s]
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;

  // Begins a time step. `step` is not kept, but `step.fixed` must outlive the step.
  virtual void begin_step(const NewtonStructure& /*step*/) {}

  // Whether compute() uses the contacts of a NewtonSystem; parts(): the parts that it wants of the next system.
  virtual bool sees_contacts() const { return false; }
  virtual NewtonParts parts(bool /*has_contacts*/) const { return {}; }

  // Takes in a system, whose matrices must outlive the solves. False when H is found not positive definite.
  virtual bool compute(const NewtonSystem& system) = 0;

  // x = H^{-1} b; b and x of 3 rows() entries. For iterative solvers x is also the start.
  virtual LinearSolveReport solve(const double* b, double* x) = 0;
  // Iterative solvers end by `stop`, or after max_iterations, instead of by a rule of their own.
  virtual LinearSolveReport solve(const double* b, double* x, PcgStop& /*stop*/, int /*max_iterations*/) {
    return solve(b, x);
  }

  // Whether solves are exact up to rounding (then the Newton solver may offer an indefinite matrix first).
  virtual bool is_direct() const = 0;

  // Time spent so far on what depends on patterns alone [s].
  virtual double symbolic_seconds() const { return 0; }
  virtual LevelWork level_work() const { return {}; }

  // Saves the data of earlier matrices that influence the bits of later solutions.
  virtual void save(ArchiveWriter&) const {}
  virtual void load(const ArchiveReader&) {}
};

// z = M^{-1} r for a symmetric positive definite M that resembles H.
class Preconditioner {
 public:
  virtual ~Preconditioner() = default;

  // As for a LinearSolver.
  virtual void begin_step(const NewtonStructure& /*step*/) {}
  virtual bool sees_contacts() const { return false; }
  virtual NewtonParts parts(bool /*has_contacts*/) const { return {}; }
  virtual bool compute(const NewtonSystem& system) = 0;
  virtual LevelWork level_work() const { return {}; }

  virtual void apply(const double* r, double* z) const = 0;

  // Whether z is accurate in the softest motions of whole bodies too, as with a coarse space.
  virtual bool sees_soft_motions() const { return false; }

  // The first solve since compute() took these iterations to make r^T M^{-1} r smaller by so many decades.
  virtual void solved(const LinearSolveReport& /*report*/, double /*decades*/) {}

  // Whether rows [begin, end) of z need those of r alone; PCG then fuses apply_rows() with its vector updates.
  virtual bool is_local() const { return false; }
  virtual void apply_rows(const double* /*r*/, double* /*z*/, Index /*begin*/, Index /*end*/) const {}
};

}  // namespace sinew
