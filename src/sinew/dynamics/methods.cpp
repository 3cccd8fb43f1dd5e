#include "sinew/dynamics/methods.h"

#include <fmt/ranges.h>

#include "sinew/core/error.h"
#include "sinew/dynamics/full_space_stepper.h"
#include "sinew/dynamics/method_choice.h"
#include "sinew/linalg/cholesky.h"
#include "sinew/linalg/jacobi.h"
#include "sinew/linalg/pcg.h"
#include "sinew/solver/multilevel.h"
#include "sinew/solver/newton.h"

namespace sinew {
namespace {

using Factory = std::unique_ptr<Stepper> (*)(std::shared_ptr<const System>);

std::unique_ptr<Stepper> newton_llt(std::shared_ptr<const System> system) {
  auto solver = std::make_unique<SparseCholesky>();
  return std::make_unique<FullSpaceStepper>(std::move(system), std::make_unique<NewtonDirection>(std::move(solver)));
}

std::unique_ptr<Stepper> newton_pcg(std::shared_ptr<const System> system) {
  PcgOptions settings;
  settings.tolerance = system->setup.solver.linear_tolerance;
  settings.max_iterations = system->setup.solver.linear_iterations;
  std::unique_ptr<Preconditioner> preconditioner;
  if (system->setup.solver.block_jacobi) {
    preconditioner = std::make_unique<BlockJacobi>();
  } else {
    preconditioner = std::make_unique<Jacobi>();
  }
  auto solver = std::make_unique<PcgSolver>(std::move(preconditioner), settings);
  return std::make_unique<FullSpaceStepper>(std::move(system), std::make_unique<NewtonDirection>(std::move(solver)));
}

std::unique_ptr<Stepper> multilevel(std::shared_ptr<const System> system) {
  auto direction = std::make_unique<MultilevelDirection>(system);
  return std::make_unique<FullSpaceStepper>(std::move(system), std::move(direction));
}

struct Row {
  const char* name;
  const char* linear_solver;  // what solver.linear_solver calls it, among the newtons; null: it is none of them
  Factory make;
};

constexpr Row methods[] = {
    {"newton", "llt", newton_llt},
    {"newton-pcg", "pcg", newton_pcg},
    {"multilevel", nullptr, multilevel},
};

}  // namespace

std::vector<std::string> method_names() {
  std::vector<std::string> names{"auto"};
  for (const Row& row : methods) names.push_back(row.name);
  return names;
}

std::string resolved_method(const SolverSetup& solver) {
  if ((solver.method != "newton" && solver.method != "auto") || solver.linear_solver.empty()) return solver.method;
  for (const Row& row : methods)
    if (row.linear_solver && solver.linear_solver == row.linear_solver) return row.name;
  fail_input("solver.linear_solver: \"{}\" is not a linear solver of this version; choose llt or pcg",
             solver.linear_solver);
}

std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const System> system) {
  std::string name = resolved_method(system->setup.solver);
  if (name == "auto") name = choose_method(*system).method;
  for (const Row& row : methods)
    if (name == row.name) return row.make(std::move(system));
  fail_input("solver.method: \"{}\" is not a method of this version; choose one of {}", name,
             fmt::join(method_names(), ", "));
}

}  // namespace sinew
