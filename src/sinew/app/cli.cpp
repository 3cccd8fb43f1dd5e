#include "sinew/app/cli.h"

#include <charconv>
#include <cstdio>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/core/error.h"
#include "sinew/core/version.h"
#include "sinew/scene/suggest.h"

namespace sinew::app {
namespace {

constexpr int done = 0, failed = 1, bad_input = 2;

struct Row {
  const char* name;
  const char* description;
  const char* example;
  Action (*add)(CLI::App&);
};

constexpr Row commands[] = {
    {"run", "Simulate a scene and write trajectories, numbers and fields to a folder",
     "sinew run scenes/ball_drop.json -o out", add_run},
    {"check", "Validate a scene, print what would run, and find what would stop it",
     "sinew check scenes/ball_drop.json", add_check},
    {"compare", "Time methods against each other from equal states",
     "sinew compare scenes/ball_drop.json --methods newton,newton-pcg", add_compare},
    {"bench", "Measure this machine's speed at sinew's hot loops", "sinew bench spmv", add_bench},
    {"info", "Describe a mesh file", "sinew info ball.msh", add_info},
    {"convert", "Write a mesh in another format", "sinew convert ball.mesh ball.msh", add_convert},
    {"view", "Show the report of a run in the browser", "sinew view out/ball_drop", add_view},
};

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Row& row : commands) names.push_back(row.name);
  return names;
}

// CLI11's own message for a misspelt command is about an unexpected argument.
bool refuse_unknown_command(int argc, const char* const* argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::vector<std::string> names = command_names();
  for (const std::string& name : names) {
    if (name == argv[1]) return false;
  }
  fmt::print(stderr, "error: unknown command \"{}\", expected one of {}{}\n", argv[1], quoted_list(names),
             did_you_mean(argv[1], names));
  return true;
}

int report(const char* text, int code) {
  fmt::print(stderr, "error: {}\n", text);
  return code;
}

// The rest of a text behind a mark, or all of it.
std::string behind(const std::string& text, std::string_view mark) {
  const auto at = text.find(mark);
  return at == std::string::npos ? text : text.substr(at + mark.size());
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// CLI11's error of a command in the words of the other errors.
std::string usage_error(const CLI::ParseError& error, const CLI::App& command, const Row& row) {
  const std::string text = error.what();
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    const std::string name = text.substr(0, text.find(" is required"));
    return fmt::format("missing {}, for example: {}; see sinew {} --help", name, row.example, row.name);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    const std::vector<std::string> extras = command.remaining();
    const std::string word = extras.empty() ? behind(text, ": ") : extras.front();
    const bool option = word.starts_with('-');
    return fmt::format("found \"{}\", which is {}{}; see sinew {} --help", word,
                       option ? "no option of this command" : "one argument too many",
                       option ? did_you_mean(word, option_names(command)) : "", row.name);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    return fmt::format("{}: found no value for it; see sinew {} --help", text.substr(0, text.find(':')), row.name);
  }
  if (dynamic_cast<const CLI::ExcludesError*>(&error)) return text + "; give one of them";
  return text;
}

int refuse_usage(const CLI::ParseError& error, const CLI::App& app) {
  for (const Row& row : commands) {
    const CLI::App* command = app.get_subcommand(row.name);
    if (!command->parsed()) continue;
    fmt::print(stderr, "error: {}: {}\n", row.name, usage_error(error, *command, row));
    return bad_input;
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    fmt::print(stderr, "error: missing the command, expected one of {}; for example: {}; see sinew --help\n",
               quoted_list(command_names()), commands[0].example);
  } else {
    fmt::print(stderr, "error: {}; see sinew --help\n", error.what());
  }
  return bad_input;
}

int guarded(const Action& action) {
  try {
    const int code = action();
    if (std::fflush(stdout) != 0) return report("cannot write to standard output", failed);
    return code;
  } catch (const InputError& error) {
    return report(error.what(), bad_input);
  } catch (const std::bad_alloc&) {
    return report("out of memory; use a coarser mesh, or --method newton-pcg, which needs less", failed);
  } catch (const std::exception& error) {
    return report(error.what(), failed);
  }
}

}  // namespace

CLI::Validator whole_number(long low, long high) {
  const auto check = [low, high](std::string& text) {
    long value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool good = error == std::errc() && end == text.data() + text.size() && value >= low && value <= high;
    if (good) return std::string();
    return fmt::format("found \"{}\", expected a whole number from {} to {}", text, low, high);
  };
  return {check, fmt::format("from {} to {}", low, high), ""};
}

int run_cli(int argc, const char* const* argv) {
  if (refuse_unknown_command(argc, argv)) return bad_input;
  CLI::App app("sinew: contacting hyperelastic solids", "sinew");
  app.set_version_flag("--version", std::string("sinew ") + version);
  app.require_subcommand(1);
  Action chosen;
  for (const Row& row : commands) {
    CLI::App* command = app.add_subcommand(row.name, row.description);
    Action action = row.add(*command);
    command->callback([&chosen, action] { chosen = action; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return refuse_usage(error, app);
    app.exit(error, std::cout, std::cerr);  // --help, --version
    return done;
  }
  return guarded(chosen);
}

}  // namespace sinew::app
