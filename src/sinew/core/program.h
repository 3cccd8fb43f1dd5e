// Runs another program to its end, without a shell.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

struct ProgramResult {
  int exit_code = 0;         // if no signal ended the program
  int signal = 0;            // signal that ended the program; 0: none
  bool interrupted = false;  // `watch` has ended the program
  std::string errors;        // the program's output to stderr
};

// Called some ten times a second with all of stderr so far. Returns false to end the program.
using ProgramWatch = std::function<bool(std::string_view errors)>;

// Whether a file is a program that this process may run.
bool is_program(const std::string& path);

// Returns the path of a program of this name in the folders of `path`, which are separated by colons as in the variable
// PATH; empty: there is none.
std::string find_program(const std::string& name, const std::string& path);

// Runs the program with the path arguments[0]. Its stdout is dropped, its stdin is empty, and it ends at the latest
// with this process. Throws SimulationError naming the program if it cannot be started.
ProgramResult run_program(const std::vector<std::string>& arguments, const ProgramWatch& watch);

}  // namespace sinew
