// Lists a parser's commands and options as plain rows, for completion and the manual page.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sinew::command {

struct OptionRow {
  std::vector<std::string> names;  // "-o", "--output"; a positional argument has only its name
  std::string type;                // "DIR", "FILE"; empty for a flag
  std::string description;
  bool positional = false, required = false, repeatable = false;
};

struct CommandRow {
  std::string name, description, example;
  std::vector<OptionRow> options;  // positional ones first
};

// Returns the commands of a program, in the order of its help.
std::vector<CommandRow> command_rows(const CLI::App& app);

// Returns the options of the program itself: --help, --version.
std::vector<OptionRow> option_rows(const CLI::App& app);

}  // namespace sinew::command
