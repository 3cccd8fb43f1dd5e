// How a time step ended.
#pragma once

#include <string>

namespace sinew {

// converged: the stop test passed. budget: solver.iterations were used up before. failed: the iterations stalled or
// reached solver.max_iterations.
enum class Outcome { converged, budget, failed };

const char* outcome_name(Outcome outcome);

inline Outcome outcome_of(bool converged, bool budget) {
  return converged ? Outcome::converged : budget ? Outcome::budget : Outcome::failed;
}

// Returns the reason text of a step that used up its iterations. remaining: estimated distance to the solution, in the
// unit of the tolerance: [m/s], in statics [m].
std::string budget_text(int iterations, double remaining, double tolerance, bool statics);

}  // namespace sinew
