// Estimates the memory that a run needs.
#pragma once

#include <string>

#include "sinew/core/memory.h"
#include "sinew/model/system.h"

namespace sinew {

// Estimated peak memory [bytes] of a run with the given method: model, matrix and the method's own data.
double estimated_memory(const System& system, const std::string& method);

// Throws InputError if the estimate exceeds the free memory.
void check_memory(const System& system, const std::string& method);

}  // namespace sinew
