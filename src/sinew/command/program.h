// Runs a program of several commands. Parsing, help, and the wording of errors are the same for all programs.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/command/describe.h"

namespace CLI {
class App;
}

namespace sinew::command {

// Runs a command and returns the exit code; errors are thrown.
using Action = std::function<int()>;

struct Command {
  const char* name;
  const char* description;
  const char* example;
  Action (*add)(CLI::App&);  // adds the options to the parser; returns the action of the command
};

struct Program {
  const char* name;
  const char* description;
  std::span<const Command> commands;
  const char* out_of_memory;                        // remedy to show if memory runs out
  std::vector<OptionValues> (*values)() = nullptr;  // values of options that accept only a few, for completion
};

// Runs one command. Returns the exit code: 0 done, 1 failed, 2 bad usage or input.
int run(const Program& program, int argc, const char* const* argv);

}  // namespace sinew::command
