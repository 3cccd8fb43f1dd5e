// Descriptions of a program made from its parser: completion of its commands in shells, and a manual page.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace sinew::command {

// The values that an option takes, where they are few: {"--method", {"newton", ...}}.
struct OptionValues {
  std::string option;
  std::vector<std::string> values;
};

// The shells that completion() knows.
std::vector<std::string> completion_shells();

// A script that completes commands, options, their values and file names in `shell`, one of completion_shells().
// Throws InputError for another shell.
std::string completion(const CLI::App& app, std::span<const OptionValues> values, const std::string& shell);

// The manual page of section 1, in roff (man 7).
std::string manual_page(const CLI::App& app, const std::string& version);

}  // namespace sinew::command
