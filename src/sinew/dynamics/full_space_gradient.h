// How far the end of a condensed step is from full space: the potential there of all vertices and tets, in place of
// coordinates and cubature. For reports; O(n), and no step uses it.
#pragma once

#include "sinew/dynamics/step_report.h"
#include "sinew/model/system.h"
#include "sinew/potential/incremental_potential.h"
#include "sinew/reduced/position_space.h"

namespace sinew {

// What a step began and ended with.
struct CondensedStep {
  PositionSpace& space;
  const SpaceStep& step;
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

  // With the contact of the space.
  Points gradient(const CondensedStep& at);
  // The forces of each term on the vertices [N], for diagnoses.
  std::vector<TermForce> forces(const CondensedStep& at);
  FullGradient measure(const CondensedStep& at);

 private:
  void begin_step(const CondensedStep& at);

  const System& system_;
  IncrementalPotential potential_;
  StepContext context_;  // of the step, lifted
};

}  // namespace sinew
