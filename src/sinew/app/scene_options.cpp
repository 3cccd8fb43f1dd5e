#include "sinew/app/scene_options.h"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "sinew/app/commands.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/progress.h"
#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/dynamics/methods.h"
#include "sinew/io/file_stem.h"

namespace sinew::app {
namespace {

constexpr int most_threads = 1024;

}  // namespace

void SceneOptions::add_to(CLI::App& command) {
  command.add_option("SCENE", path, "Scene file (JSON)")->required();
  command.add_option("--set", overrides, "path.to.key=VALUE: overrides one value of the scene (repeatable)")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command.add_option("--threads", threads, "Threads to use (default: all cores)")->check(whole_number(1, most_threads));
}

void SceneOptions::add_method_to(CLI::App& command) {
  command.add_option("--method", method, "Method, in place of the scene's solver.method");
  command.add_option("--steps", steps, "Steps, in place of the scene's time.steps")->check(whole_number(1, 2000000000));
}

void check_method(const char* option, const std::string& method) {
  const std::vector<std::string> names = method_names();
  if (std::ranges::find(names, method) != names.end()) return;
  fail_input("{}: found \"{}\", expected one of {}{}", option, method, quoted_list(names), did_you_mean(method, names));
}

Scene read_scene(const SceneOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  if (!options.method.empty()) {
    check_method("--method", options.method);
    overrides.push_back("solver.method=\"" + options.method + "\"");
  }
  if (options.steps >= 0) overrides.push_back("time.steps=" + std::to_string(options.steps));
  ReadingHooks hooks;
  hooks.interrupted = InterruptGuard::requested;
  if (!options.quiet) hooks.progress = changing_line();
  hooks.log_warnings = !options.no_warnings;
  Scene scene = sinew::read_scene(options.path, overrides, hooks);
  if (!options.method.empty()) {
    scene.setup.solver.linear_solver.clear();
    scene.completed["solver"].erase("linear_solver");
  }
  return scene;
}

activity::Listener setup_listener(bool quiet) {
  activity::Listener listener;
  listener.interrupted = InterruptGuard::requested;
  if (!quiet) listener.progress = changing_line();
  return listener;
}

SceneText scene_text(const Scene& scene) {
  const auto folder = std::filesystem::absolute(scene.source).parent_path();
  return {scene.completed, folder.string(), ""};
}

std::string scene_stem(const SceneOptions& options) {
  return file_stem(std::filesystem::path(options.path).stem().string());
}

}  // namespace sinew::app
