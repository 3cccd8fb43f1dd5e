// Runs another program to its end, without a shell.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct ProgramResult {
  int exit_code = 0;         // where no signal ended it
  int signal = 0;            // that ended it; 0: none
  bool interrupted = false;  // asked to end by `watch`
  std::string errors;        // its output to stderr
};

// Asked some ten times a second with all of stderr so far; false ends the program.
using ProgramWatch = std::function<bool(std::string_view errors)>;

// arguments[0] is the path of the program. Its output is dropped, its input empty. It ends when this process does.
// Throws SimulationError naming the program when it cannot be started.
ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramWatch& watch);

}  // namespace sinew
