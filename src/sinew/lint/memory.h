// How much memory a run will need.
#pragma once

#include <string>

#include "sinew/core/memory.h"
#include "sinew/model/system.h"

namespace sinew {

// Estimated peak memory [bytes] of a run with the given method: model, matrix and what the method's row of the table
// says it needs beside them.
double estimated_memory(const System& system, const std::string& method);

// Throws InputError when the estimate is above what is free.
void check_memory(const System& system, const std::string& method);

}  // namespace sinew
