// Measures the error of lagged friction against Coulomb's law, which decides whether friction is lagged again.
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"
#include "sinew/potential/friction_energy.h"

namespace sinew {

// Let lambda be the current normal force of a contact and lambda' the one with which its friction was lagged. The error
// of a slipping contact is mu |lambda - lambda'|. A sticking contact has an error only if its force exceeds mu lambda,
// because its force follows from equilibrium whatever lambda' is.
class CoulombError {
 public:
  // Returns the negligible errors [N], by body: forces that change the body's velocity within a step by less than a
  // tenth of the tolerance. A force f changes it by f contact_scale / (step m).
  std::span<const double> least(const System& system, bool inertia, double step, double contact_scale);

  // Returns the largest error of a body's friction over its mu lambda, both summed over the body's vertices: 0 to 1.
  // `lagged` is the friction of the step, `anew` has the contacts at x. `body` has the body of each vertex. Errors
  // below `least` (by body [N]) count as zero.
  double largest(const FrictionEnergy& lagged, const FrictionEnergy& anew, const Points& x, std::span<const Index> body,
                 std::span<const double> least);

 private:
  FrictionUse lagged_, anew_;
  IndexSet vertices_;                          // vertices of both friction energies
  std::vector<double> error_, limit_, least_;  // by body [N]
  std::vector<double> mass_;                   // mass of each body [kg]
};

}  // namespace sinew
