// The table of methods: names that solver.method and --method accept, and how each makes its Stepper.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/dynamics/stepper.h"
#include "sinew/model/system.h"

namespace sinew {

// Names in the order they are listed to users; "auto" (dynamics/method_choice.h) is the first.
std::vector<std::string> method_names();

// The method that a setup asks for: solver.linear_solver chooses among the newtons when solver.method is "newton" or
// "auto". May be "auto" where that is not settled yet.
std::string resolved_method(const SolverSetup& solver);

// Throws InputError naming the known methods.
std::unique_ptr<Stepper> make_stepper(std::shared_ptr<const System> system);

}  // namespace sinew
