#include "sinew/app/cli.h"

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
  Action (*add)(CLI::App&);
};

constexpr Row commands[] = {
    {"run", "Simulate a scene and write trajectories, numbers and fields to a folder", add_run},
    {"check", "Validate a scene, print what would run, and find what would stop it", add_check},
    {"compare", "Time methods against each other from equal states", add_compare},
    {"bench", "Measure this machine's speed at sinew's hot loops", add_bench},
    {"info", "Describe a mesh file", add_info},
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
  fmt::print(stderr, "sinew: unknown command \"{}\"; expected one of {}{}\n", argv[1], quoted_list(names),
             did_you_mean(argv[1], names));
  return true;
}

int report(const char* text, int code) {
  fmt::print(stderr, "error: {}\n", text);
  return code;
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
    const int code = app.exit(error, std::cout, std::cerr);
    return code == 0 ? done : bad_input;
  }
  return guarded(chosen);
}

}  // namespace sinew::app
