// Runs sinew-mesh and turns what it reports into errors and warnings.
#pragma once

#include <string>
#include <vector>

#include "sinew/core/error.h"
#include "sinew/core/program.h"
#include "sinew/scene/reading_hooks.h"

namespace sinew {

// Runs the program arguments[0] to its end. what: names the work in progress lines, such as "meshing gear (small)".
// Throws Interrupted if asked to end, and SimulationError, which begins with `place`, if a signal ends the program.
ProgramResult run_mesher(const std::vector<std::string>& arguments, const std::string& place, const std::string& what,
                         const ReadingHooks& hooks);

// Returns the errors of a failed program on one line.
std::string mesher_complaint(const ProgramResult& result);

// The exit code of sinew-mesh for bad input.
inline constexpr int mesher_bad_input = 2;

// The code of the error at the end of what a failed program said, or E-mesher.
ErrorCode mesher_code(const ProgramResult& result);

}  // namespace sinew
