// The full-space gradient at the end of a subspace step, over all vertices and tets. For reports only; O(n).
#pragma once

#include "sinew/dynamics/step_report.h"
#include "sinew/kinematics/kinematics.h"
#include "sinew/model/system.h"
#include "sinew/potential/coordinate_step.h"
#include "sinew/potential/incremental_potential.h"
#include "sinew/reduced/reduced_contact.h"

namespace sinew {

// The start and end of a step of a reduced method.
struct ReducedStep {
  const Kinematics& kinematics;
  ReducedContact* contact;  // null: nothing may touch
  const CoordinateStep& step;
  const MatX& start;  // y at the start
  const MatX& y;      // at the end
  const Points& x;    // vertex positions at y, 3 x n_all
};

class FullSpaceGradient {
 public:
  // The system must outlive this.
  explicit FullSpaceGradient(const System& system) : system_(system), potential_(system, {.contact = false}) {}

  void adapt(Change change) { potential_.adapt(change); }
  const std::vector<const LoadEnergy*>& load_terms() const { return potential_.load_terms(); }
  const ElasticEnergy& elastic() const { return potential_.elastic(); }  // elastic energy of all tets

  void begin_step(const ReducedStep& at);
  // Returns the gradient (3 x dynamic_count), with the contact of the surface samples.
  Points gradient(const ReducedStep& at);
  // Returns the forces of each term on the vertices [N], for diagnoses.
  std::vector<TermForce> forces(const ReducedStep& at);
  FullGradient measure(const ReducedStep& at);

 private:
  const System& system_;
  IncrementalPotential potential_;
  StepContext context_;  // context of the step, lifted to full space
};

}  // namespace sinew
