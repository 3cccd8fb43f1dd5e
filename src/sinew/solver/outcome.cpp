#include "sinew/solver/outcome.h"

#include <fmt/format.h>

namespace sinew {

const char* outcome_name(Outcome outcome) {
  switch (outcome) {
    case Outcome::converged:
      return "converged";
    case Outcome::budget:
      return "budget";
    case Outcome::failed:
      return "failed";
  }
  return "";
}

std::string budget_text(int iterations, double remaining, double tolerance, bool statics) {
  const char* unit = statics ? "m" : "m/s";
  return fmt::format(
      "the step used all {} iterations of solver.iterations; a change of about {:.2g} {} remained, above "
      "solver.tolerance {:.2g}",
      iterations, remaining, unit, tolerance);
}

}  // namespace sinew
