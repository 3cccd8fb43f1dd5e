// How far the end of a condensed step is from full space: the gradient there of the full-space potential, with all tets
// in place of cubature. For reports; O(n), and no step uses it.
#pragma once

#include "sinew/dynamics/step_report.h"
#include "sinew/model/system.h"
#include "sinew/potential/elastic.h"
#include "sinew/potential/incremental_potential.h"
#include "sinew/reduced/position_space.h"

namespace sinew {

// What a step began and ended with.
struct CondensedStep {
  const System& system;
  PositionSpace& space;
  const SpaceStep& step;
  const MatX& start;  // y
  const MatX& y;      // at the end
  const Points& x;    // y lifted
};

// The forces of each term on the vertices [N], for diagnoses.
std::vector<TermForce> full_space_forces(const CondensedStep& at, const ElasticEnergy& all_tets);
Points full_space_gradient(const CondensedStep& at, const ElasticEnergy& all_tets);
FullGradient measure_full_gradient(const CondensedStep& at, const ElasticEnergy& all_tets);

}  // namespace sinew
