// sinew-mesh: tets for sinew.
#include <cstdio>
#include <iostream>
#include <new>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "sinew/core/error.h"
#include "sinew/core/version.h"

namespace {

using namespace sinew::mesher;

constexpr int done = 0, failed = 1, bad_input = 2;

struct Row {
  const char* name;
  const char* description;
  Action (*add)(CLI::App&);
};

constexpr Row commands[] = {
    {"tets", "Fill closed surfaces with tets", add_tets},
    {"shape", "Mesh a shape by its name", add_shape},
};

int report(const char* text, int code) {
  fmt::print(stderr, "error: {}\n", text);
  return code;
}

int guarded(const Action& action) {
  try {
    return action();
  } catch (const sinew::InputError& error) {
    return report(error.what(), bad_input);
  } catch (const std::bad_alloc&) {
    return report("out of memory; use a larger --size", failed);
  } catch (const std::exception& error) {
    return report(error.what(), failed);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("sinew-mesh: tets for sinew", "sinew-mesh");
  app.set_version_flag("--version", std::string("sinew-mesh ") + sinew::version);
  app.require_subcommand(1);
  Action chosen;
  for (const Row& row : commands) {
    CLI::App* command = app.add_subcommand(row.name, row.description);
    const Action action = row.add(*command);
    command->callback([&chosen, action] { chosen = action; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app.exit(error, std::cout, std::cerr);
      return done;
    }
    return report(error.what(), bad_input);
  }
  return guarded(chosen);
}
