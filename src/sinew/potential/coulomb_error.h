// The error of lagged friction against Coulomb's law, which decides whether friction is lagged again.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/friction_energy.h"

namespace sinew {

// With lambda the normal forces now and lambda' those that friction was found with, a contact that slips is off by
// mu |lambda - lambda'|. One that sticks is off only where its force is above mu lambda: the force itself is that of
// equilibrium, whatever lambda' is.
class CoulombError {
 public:
  // Negligible errors [N], by body: forces that change its velocity within a step by less than a tenth of the
  // tolerance. A force f changes it by f contact_scale / (step m).
  std::span<const double> least(const System& system, bool inertia, double step, double contact_scale);

  // The largest share of mu lambda by which the friction of a body is off, 0 to 1: sums over the vertices of the body.
  // `lagged` is the friction of the step, and `anew` has the contacts of x. `body` names the body of each vertex.
  // Errors under `least`, by body [N], do not count.
  double largest(const FrictionEnergy& lagged, const FrictionEnergy& anew, const Points& x, std::span<const Index> body,
                 std::span<const double> least);

 private:
  FrictionUse lagged_, anew_;
  IndexSet vertices_;                          // of both
  std::vector<double> error_, limit_, least_;  // by body [N]
  std::vector<double> mass_;                   // of each body [kg]
};

}  // namespace sinew
