// The linear system of a Newton direction: H d = -grad E at the free coordinates, with what linear solvers use beside
// the matrix.
#pragma once

#include <vector>

#include "sinew/linalg/newton_system.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

class NewtonAssembly {
 public:
  // contacts: whether a solver sees them apart from the bodies (LinearSolver::sees_contacts).
  explicit NewtonAssembly(bool contacts) : sees_contacts_(contacts) {}

  // The system has changed.
  void adapt(Change change);
  // Both are kept by reference.
  void begin_step(const StepContext& context, IncrementalPotential& potential);

  NewtonStructure structure() const;
  // Whether the contacts at hand have a Hessian that solvers may see apart.
  bool has_contacts() const;

  // At x (3 x n_all): g = grad E, H with its `parts`, and rhs(). d (3 x n_all) holds the wanted displacement of the
  // prescribed coordinates; drift (3 x dynamic_count): DescentDirection::direction. elastic: the elastic Hessian in
  // place of that with `projection`.
  NewtonSystem assemble(const Points& x, Projection projection, const NewtonParts& parts, const Points& drift,
                        Points& g, const Points& d, const SymBlockMatrix* elastic = nullptr);

  const Points& rhs() const { return rhs_; }  // 3 x dynamic_count, zero at fixed coordinates
  Index rows() const { return H_.rows(); }

  bool finite() const;
  double diagonal() const { return diagonal_; }  // the mean of the last H, which fixed coordinates have
  void add_to_diagonal(double shift);            // of the last H

 private:
  void find_vertex_stiffness();
  void find_touching();

  bool sees_contacts_;
  const StepContext* context_ = nullptr;
  IncrementalPotential* potential_ = nullptr;
  SymBlockMatrix H_, H_bodies_, H_contacts_;
  Points rhs_;
  double diagonal_ = 1;
  std::vector<Index> touching_;
  std::vector<char> touches_;  // work

  // Of the bodies at rest, with a h^2 and inertia as they were last.
  std::vector<double> vertex_stiffness_;  // contacts are softened by springs as stiff, in units of H
  double stiffness_over_inertia_ = 0;     // max h^2 K_ii / m_i
  double stiffness_scale_ = 0;            // 0: not known yet
  bool stiffness_inertia_ = false;
};

}  // namespace sinew
