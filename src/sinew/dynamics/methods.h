// The table of methods: what solver.method and --method accept, and what is known of each. No other file compares
// names.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/dynamics/stepper.h"
#include "sinew/model/system.h"

namespace sinew {

struct Method {
  std::string_view name;
  std::string_view linear_solver;      // what solver.linear_solver calls it, among the newtons; empty: it is none
  std::vector<std::string_view> keys;  // of `solver` that it uses, of those that not every method does
  bool has_levels;                     // it sets up a Hierarchy, with solver.handles handles
  double (*memory)(const System&);     // beside the model and one Hessian [bytes], about
  std::unique_ptr<Stepper> (*make)(std::shared_ptr<const System>);
  std::optional<Formulation> formulation = {};  // of methods over points
  int iterations = 0;                           // a step by default, for methods with budgets; 0: until the tolerance
  bool edge_springs = false;                    // it takes bodies of material model mass_spring
  bool ties = false;                            // it takes tied bodies (model/tie.h)

  bool uses(std::string_view key) const;
};

std::span<const Method> methods();

// Throws InputError naming the known methods.
const Method& find_method(std::string_view name);

// Names in the order they are listed to users; "auto" (dynamics/method_choice.h) is the first.
std::vector<std::string> method_names();

// Whether solver.linear_solver chooses among the newtons: with methods "newton" and "auto".
bool linear_solver_chooses(const SolverSetup& solver);

// The method that a setup asks for: solver.linear_solver chooses among the newtons when solver.method is "newton" or
// "auto". May be "auto" where that is not settled yet.
std::string resolved_method(const SolverSetup& solver);

// That method; of "auto" all that it may settle on.
std::vector<const Method*> possible_methods(const SolverSetup& solver);

// The budget of iterations of a step: solver.iterations, or what the method takes by default; 0: none.
int iteration_budget(const SolverSetup& solver);

// Tolerances and bounds of a step.
MinimizerSettings minimizer_settings(const System& system);

// Whether its contacts are those of coarse surfaces, which it checks itself: the fine ones may intersect.
bool has_coarse_contact(const SolverSetup& solver);

// Throws InputError naming the body and the methods that would do where the method does not take all bodies.
void require_method_for_bodies(const System& system, const std::string& method);

// Throws InputError naming the known methods, or as above.
std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const System> system);

}  // namespace sinew
