// A program of several commands: parsing, help, and the wording of errors, the same for all programs.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "sinew/command/describe.h"

namespace CLI {
class App;
}

namespace sinew::command {

// Returns the exit code; errors are thrown.
using Action = std::function<int()>;

struct Command {
  const char* name;
  const char* description;
  const char* example;
  Action (*add)(CLI::App&);  // adds the options to the parser; returns what to do when this is the command called
};

struct Program {
  const char* name;
  const char* description;
  std::span<const Command> commands;
  const char* out_of_memory;                        // the remedy
  std::vector<OptionValues> (*values)() = nullptr;  // of options that take one of a few, for completion
};

// Runs one command. Returns the exit code: 0 done, 1 failed, 2 bad usage or input.
int run(const Program& program, int argc, const char* const* argv);

}  // namespace sinew::command
