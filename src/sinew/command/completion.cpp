#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sinew/command/describe.h"
#include "sinew/command/parser_rows.h"
#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"

namespace sinew::command {
namespace {

using Values = std::span<const OptionValues>;

// Values of an option by any of its names, or none.
std::vector<std::string> values_of(const OptionRow& option, Values values) {
  for (const OptionValues& row : values) {
    if (std::ranges::find(option.names, row.option) != option.names.end()) return row.values;
  }
  return {};
}

// Text within single quotes of a shell.
std::string in_quotes(const std::string& text) {
  std::string quoted;
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted;
}

// A name of a function: letters, digits and underscores.
std::string function_name(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return "_" + name;
}

std::vector<std::string> option_names(const std::vector<OptionRow>& rows) {
  std::vector<std::string> names;
  for (const OptionRow& row : rows) {
    if (!row.positional) names.insert(names.end(), row.names.begin(), row.names.end());
  }
  return names;
}

// bash: one function; the first word is a command, words that begin with a dash are options, all others files.
std::string bash(const CLI::App& app, Values values) {
  const std::string function = function_name(app.get_name());
  std::vector<std::string> commands;
  std::string cases;
  for (const CommandRow& row : command_rows(app)) {
    commands.push_back(row.name);
    cases += fmt::format("    {}) options='{}' ;;\n", row.name, fmt::join(option_names(row.options), " "));
  }
  std::string of_options;
  for (const OptionValues& row : values) {
    of_options += fmt::format("    {}) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n", row.option,
                              fmt::join(row.values, " "));
  }
  return fmt::format(
      "# Completion of {0} for bash.\n"
      "{1}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} options=''\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{2} {3}' -- \"$current\"))\n"
      "    return\n"
      "  fi\n"
      "  case $previous in\n"
      "{4}"
      "  esac\n"
      "  case ${{COMP_WORDS[1]}} in\n"
      "{5}"
      "  esac\n"
      "  case $current in\n"
      "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$current\")) ;;\n"
      "    *) COMPREPLY=($(compgen -f -- \"$current\")) ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F {1} {0}\n",
      app.get_name(), function, fmt::join(commands, " "), fmt::join(option_names(option_rows(app)), " "), of_options,
      cases);
}

// A description within [...] or behind a colon of zsh's own syntax.
std::string zsh_text(const std::string& text) {
  std::string escaped;
  for (const char c : in_quotes(text)) {
    if (c == '[' || c == ']' || c == ':') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// The specification of an option for zsh's _arguments, for each of its names.
std::string zsh_option(const OptionRow& row, Values values) {
  if (row.positional) return fmt::format(" \\\n        '*:{}:_files'", zsh_text(row.names.front()));
  const std::vector<std::string> known = values_of(row, values);
  const std::string action = known.empty() ? "_files" : fmt::format("({})", fmt::join(known, " "));
  std::string text;
  for (const std::string& name : row.names) {
    const std::string argument = row.type.empty() ? "" : fmt::format(":{}:{}", zsh_text(row.type), action);
    text +=
        fmt::format(" \\\n        '{}{}[{}]{}'", row.repeatable ? "*" : "", name, zsh_text(row.description), argument);
  }
  return text;
}

std::string zsh(const CLI::App& app, Values values) {
  std::string commands, cases;
  for (const CommandRow& row : command_rows(app)) {
    commands += fmt::format(" \\\n      '{}:{}'", row.name, zsh_text(row.description));
    cases += fmt::format("    {})\n      _arguments", row.name);
    bool files = false;
    for (const OptionRow& option : row.options) {
      if (option.positional && files) continue;  // one rule serves all positional arguments
      files |= option.positional;
      cases += zsh_option(option, values);
    }
    cases += "\n      ;;\n";
  }
  return fmt::format(
      "#compdef {0}\n"
      "# Completion of {0} for zsh.\n"
      "{1}() {{\n"
      "  if (( CURRENT == 2 )); then\n"
      "    local -a commands=({2})\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $words[1] in\n"
      "{3}"
      "  esac\n"
      "}}\n"
      "if [ \"$funcstack[1]\" = '{1}' ]; then\n"  // loaded from a folder of completions: it is the function's first
                                                  // call
      "  {1} \"$@\"\n"
      "else\n"
      "  compdef {1} {0}\n"
      "fi\n",
      app.get_name(), function_name(app.get_name()), commands, cases);
}

std::string fish_option(const std::string& program, const std::string& condition, const OptionRow& row, Values values) {
  if (row.positional) return "";
  std::string line = fmt::format("complete -c {} -n '{}'", program, condition);
  for (const std::string& name : row.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  const std::vector<std::string> known = values_of(row, values);
  if (!known.empty()) {
    line += fmt::format(" -x -a '{}'", fmt::join(known, " "));
  } else if (!row.type.empty()) {
    line += " -r";
  }
  return line + fmt::format(" -d '{}'\n", in_quotes(row.description));
}

std::string fish(const CLI::App& app, Values values) {
  const std::string& name = app.get_name();
  std::string text = fmt::format("# Completion of {} for fish.\n", name);
  for (const OptionRow& option : option_rows(app)) text += fish_option(name, "__fish_use_subcommand", option, values);
  for (const CommandRow& row : command_rows(app)) {
    text += fmt::format("complete -c {} -f -n '__fish_use_subcommand' -a {} -d '{}'\n", name, row.name,
                        in_quotes(row.description));
    for (const OptionRow& option : row.options)
      text += fish_option(name, "__fish_seen_subcommand_from " + row.name, option, values);
  }
  return text;
}

}  // namespace

std::vector<std::string> completion_shells() {
  return {"bash", "zsh", "fish"};
}

std::string completion(const CLI::App& app, std::span<const OptionValues> values, const std::string& shell) {
  if (shell == "bash") return bash(app, values);
  if (shell == "zsh") return zsh(app, values);
  if (shell == "fish") return fish(app, values);
  fail_input(code::usage, "--completion: found \"{}\", expected one of {}{}", shortened(shell),
             quoted_list(completion_shells()), did_you_mean(shell, completion_shells()));
}

}  // namespace sinew::command
