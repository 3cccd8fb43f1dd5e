// Describes a program from its parser: completion of its commands in shells, and a manual page.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sinew::command {

// The values of an option that accepts only a few: {"--method", {"newton", ...}}.
struct OptionValues {
  std::string option;
  std::vector<std::string> values;
};

// Returns the shells that completion() supports.
std::vector<std::string> completion_shells();

// Returns a script that completes commands, options, their values and file names in `shell`, one of
// completion_shells(). Throws InputError for another shell.
std::string completion(const CLI::App& app, std::span<const OptionValues> values, const std::string& shell);

// Returns the manual page for section 1, in roff (man 7).
std::string manual_page(const CLI::App& app, const std::string& version);

}  // namespace sinew::command
