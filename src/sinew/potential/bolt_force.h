// The force in a bolt: what the part behind the cut pulls at the part before it.
#pragma once

#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/system.h"
#include "sinew/potential/elastic_energy.h"

namespace sinew {

struct BoltForce {
  double axial = 0;  // component along the turned axis, positive in tension [N]
  double shear = 0;  // across it [N]
};

// By bolt, at positions x, with the states of `elastic`. With the function H of model/bolt.h and the nodal forces of
// the tets of the cut alone, the resultant is
//
//   R = sum_i H_i grad_i E = sum_t V_t P_t grad H_t,
//
// which depends neither on the tets nor on H where forces are in balance. The axis is that of the mean of F n.
std::vector<BoltForce> bolt_forces(const System& system, const ElasticEnergy& elastic, const Points& x);

}  // namespace sinew
