// Chooses how often friction is lagged within a step, and to which tolerance.
#pragma once

#include <algorithm>

#include "sinew/model/system.h"

namespace sinew {

struct FrictionRounds {
  int most = 1;
  double tolerance = 0;    // bound on the friction error (coulomb_error.h), 0 to 1
  bool automatic = false;  // a dynamic step, and the scene gives no number of rounds
};

// Returns the rounds for contact.friction_iterations and contact.friction_tolerance. Load steps get the scene's
// tolerance, because no next step corrects errors of their friction.
inline FrictionRounds friction_rounds(const System& system) {
  constexpr int dynamic_rounds = 20, static_rounds = 100;
  // Factor on the scene's tolerance in dynamic steps, whose errors the next step corrects.
  constexpr double automatic_share = 5;
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
