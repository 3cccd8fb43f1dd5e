// How much memory a run will need and how much there is.
#pragma once

#include <string>

#include "sinew/model/system.h"

namespace sinew::app {

// Estimated peak memory [bytes] of a run with the given method: model, matrix and, for the direct solver, the factor,
// whose size is that of nested dissection in a compact solid.
double estimated_memory(const System& system, const std::string& method);

// Free memory of this machine or of the container around the process [bytes]; 0: unknown.
double available_memory();

// Throws InputError when the estimate is above what is free.
void check_memory(const System& system, const std::string& method);

// "1.2 GB"
std::string memory_text(double bytes);

}  // namespace sinew::app
