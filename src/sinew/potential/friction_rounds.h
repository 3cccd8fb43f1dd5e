// The number of rounds of lagged friction within a step, and their tolerance.
#pragma once

#include <algorithm>

#include "sinew/model/system.h"

namespace sinew {

struct FrictionRounds {
  int most = 1;
  double tolerance = 0;    // of the friction error (coulomb_error.h)
  bool automatic = false;  // a dynamic step, without a number of rounds in the scene
};

// The rounds that contact.friction_iterations and contact.friction_tolerance ask for. Statics have no next step that
// would correct errors of friction.
inline FrictionRounds friction_rounds(const System& system) {
  constexpr int dynamic_rounds = 20, static_rounds = 100;
  constexpr double automatic_share = 5;  // tolerance of a dynamic step over the scene's: the next step corrects errors
  const bool statics = system.setup.time.integrator == Integrator::statics;
  const ContactSetup& contact = system.setup.contact;
  FrictionRounds rounds;
  rounds.automatic = contact.friction_iterations == 0 && !statics;
  rounds.most = contact.friction_iterations > 0 ? contact.friction_iterations
                : statics                       ? static_rounds
                                                : dynamic_rounds;
  rounds.tolerance = std::min(1.0, (rounds.automatic ? automatic_share : 1) * contact.friction_tolerance);
  return rounds;
}

}  // namespace sinew
