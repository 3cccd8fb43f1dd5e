// Assembles the linear system of a Newton direction: H d = -grad E at the free coordinates, with additional data for
// linear solvers.
#pragma once

#include <vector>

#include "sinew/linalg/newton_system.h"
#include "sinew/potential/incremental_potential.h"

namespace sinew {

class NewtonAssembly {
 public:
  // contacts: whether the solver needs the contacts separately from the bodies (LinearSolver::sees_contacts).
  explicit NewtonAssembly(bool contacts) : sees_contacts_(contacts) {}

  // Call when the system has changed.
  void adapt(Change change);
  // Keeps references to context and potential.
  void begin_step(const StepContext& context, IncrementalPotential& potential);

  NewtonStructure structure() const;
  // Whether the current contacts have a separate Hessian for solvers.
  bool has_contacts() const;

  // Assembles g = grad E, H with the requested `parts`, and rhs() at x (3 x n_all). d: 3 x n_all, the wanted
  // displacement of prescribed coordinates. drift: 3 x dynamic_count, as in DescentDirection::direction. elastic:
  // replaces the elastic Hessian; may be null.
  NewtonSystem assemble(const Points& x, Projection projection, const NewtonParts& parts, const Points& drift,
                        Points& g, const Points& d, const SymBlockMatrix* elastic = nullptr);

  const Points& rhs() const { return rhs_; }  // 3 x dynamic_count, zero at fixed coordinates
  Index rows() const { return H_.rows(); }

  bool finite() const;
  double diagonal() const { return diagonal_; }  // mean diagonal entry of the last H, used for fixed coordinates
  void add_to_diagonal(double shift);            // changes the last H

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
  std::vector<char> touches_;  // work array

  // Values of the bodies at rest, for the last factor a h^2 and inertia.
  std::vector<double> vertex_stiffness_;  // stiffness of springs that soften contacts, in units of H
  double stiffness_over_inertia_ = 0;     // max h^2 K_ii / m_i
  double stiffness_scale_ = 0;            // 0: not known yet
  bool stiffness_inertia_ = false;
};

}  // namespace sinew
