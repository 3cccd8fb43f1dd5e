#include "sinew/multilevel/multilevel.h"

#include <utility>

#include "sinew/linalg/pcg.h"
#include "sinew/multilevel/multilevel_preconditioner.h"
#include "sinew/multilevel/sms.h"
#include "sinew/newton/newton.h"

namespace sinew {
namespace {

// Iterations of conjugate gradients for a direction that does not end the step, at most.
constexpr int most_iterations = 200;

// H d = -g by PCG with the levels as preconditioner: the approximation in SMS's subspace costs iterations here, not
// accuracy.
std::unique_ptr<LinearSolver> pcg(std::shared_ptr<const System> system, const Preparation& prepared) {
  const SolverSetup& solver = system->setup.solver;
  const PcgOptions options{.tolerance = solver.linear_tolerance, .max_iterations = solver.linear_iterations};
  return std::make_unique<PcgSolver>(
      std::make_unique<MultilevelPreconditioner>(std::move(system), std::nullopt, prepared), options);
}

}  // namespace

std::unique_ptr<FullSpaceDirection> make_newton_multilevel(std::shared_ptr<const System> system,
                                                           const Preparation& prepared) {
  return std::make_unique<NewtonDirection>(pcg(std::move(system), prepared));
}

std::unique_ptr<FullSpaceDirection> make_multilevel(std::shared_ptr<const System> system, const Preparation& prepared) {
  const SolverSetup& solver = system->setup.solver;
  if (solver.multilevel.printed) return std::make_unique<SmsDirection>(std::move(system), prepared);
  // Truncated Newton (Eisenstat and Walker 1996): CG stops at the error `forcing` of the direction in the energy
  // norm.
  const Inexactness inexactness(solver.multilevel.forcing, most_iterations, solver.linear_iterations);
  return std::make_unique<NewtonDirection>(pcg(std::move(system), prepared), inexactness);
}

}  // namespace sinew
