// The table of methods that solver.method and --method accept. No other file compares method names.
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
  std::string_view linear_solver;      // name in solver.linear_solver; empty: not a Newton method
  std::vector<std::string_view> keys;  // keys of `solver` that only this method uses
  bool has_levels;                     // whether the method needs a Hierarchy with solver.handles handles
  double (*memory)(const System&);     // approximate memory besides the model and one Hessian [bytes]
  std::unique_ptr<Stepper> (*make)(std::shared_ptr<const System>, const Preparation&);
  std::optional<Formulation> formulation = {};  // only for methods with elasticity at points
  int iterations = 0;                           // default limit of iterations in a step; 0: no limit
  bool edge_springs = false;                    // whether it supports material model mass_spring
  bool ties = false;                            // whether it supports tied bodies (model/tie.h)
  bool all_elements = false;                    // whether it supports other elements than linear ones, and heat

  bool uses(std::string_view key) const;
};

std::span<const Method> methods();

// Throws InputError naming the known methods if there is no such method.
const Method& find_method(std::string_view name);

// Names in the order shown to users, beginning with "auto" (dynamics/method_choice.h).
std::vector<std::string> method_names();

// Whether solver.linear_solver chooses the Newton method: for "newton" and "auto".
bool linear_solver_chooses(const SolverSetup& solver);

// Returns the requested method. solver.linear_solver chooses the Newton method if solver.method is "newton" or "auto".
// May be "auto" if not settled yet.
std::string resolved_method(const SolverSetup& solver);

// Returns the requested method, or all candidates of "auto".
std::vector<const Method*> possible_methods(const SolverSetup& solver);

// Returns the limit of iterations in a step: solver.iterations or the method's default; 0: no limit.
int iteration_budget(const SolverSetup& solver);

// Returns the tolerances and limits of a step.
MinimizerSettings minimizer_settings(const System& system);

// Whether the method tests contact on coarse surfaces, so that fine surfaces may intersect.
bool has_coarse_contact(const SolverSetup& solver);

// Throws InputError if the method does not support a body; the message names the body and the methods that do.
void require_method_for_bodies(const System& system, const std::string& method);

// Makes the time stepper of the requested method. prepared: what a copy of a simulation takes over; empty:
// nothing. Throws InputError for an unknown method or an unsupported body.
std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const System> system, const Preparation& prepared = {});

}  // namespace sinew
