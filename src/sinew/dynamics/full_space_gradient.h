// The full-space gradient at the end of a subspace step, over all vertices and tets. For reports only; O(n).
#pragma once

#include "sinew/dynamics/step_report.h"
#include "sinew/kinematics/kinematics.h"
#include "sinew/model/system.h"
#include "sinew/potential/coordinate_step.h"
#include "sinew/potential/incremental_potential.h"
#include "sinew/reduced/reduced_contact.h"

namespace sinew {

// Start and end of a step.
struct ReducedStep {
  const Kinematics& kinematics;
  ReducedContact* contact;  // null: nothing may touch
  const CoordinateStep& step;
  const MatX& start;  // y
  const MatX& y;      // at the end
  const Points& x;    // y lifted
};

class FullSpaceGradient {
 public:
  // The system must outlive this.
  explicit FullSpaceGradient(const System& system) : system_(system), potential_(system, {.contact = false}) {}

  void adapt(Change change) { potential_.adapt(change); }
  const ElasticEnergy& elastic() const { return potential_.elastic(); }  // of all tets

  // Returns the gradient, with the contact of the samples.
  Points gradient(const ReducedStep& at);
  // Returns the forces of each term on the vertices [N], for diagnoses.
  std::vector<TermForce> forces(const ReducedStep& at);
  FullGradient measure(const ReducedStep& at);

 private:
  void begin_step(const ReducedStep& at);

  const System& system_;
  IncrementalPotential potential_;
  StepContext context_;  // of the step, lifted
};

}  // namespace sinew
