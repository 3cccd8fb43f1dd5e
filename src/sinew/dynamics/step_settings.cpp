#include "sinew/dynamics/step_settings.h"

#include <algorithm>

#include "sinew/potential/friction_rounds.h"

namespace sinew {

MinimizerSettings step_settings(const System& system, std::optional<int> budget) {
  MinimizerSettings settings = common_settings(system);
  // Else rounds are minimisations of their own (Stepper).
  const FrictionRounds rounds = friction_rounds(system);
  if (rounds.automatic) {
    settings.friction_rounds = rounds.most;
    settings.friction_tolerance = rounds.tolerance;
  }
  if (!budget) return settings;
  settings.budget = *budget;
  settings.max_iterations = std::max(settings.max_iterations, *budget);
  return settings;
}

}  // namespace sinew
