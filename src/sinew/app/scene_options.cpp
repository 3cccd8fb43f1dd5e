#include "sinew/app/scene_options.h"

#include <algorithm>
#include <filesystem>

#include <CLI/CLI.hpp>

#include "sinew/app/commands.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/progress.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/suggest.h"
#include "sinew/core/utf8.h"
#include "sinew/dynamics/methods.h"
#include "sinew/io/file_stem.h"
#include "sinew/scene/schema.h"

namespace sinew::app {
namespace fs = std::filesystem;

namespace {

constexpr int most_threads = 1024;

// Keys whose text is the path of a file.
bool names_a_file(const std::string& key) {
  return key == "mesh" || key == "field" || key == "collision" || key == "render";
}

// The paths of meshes, surfaces and fields of materials below `value`.
void add_paths(const nlohmann::ordered_json& value, const fs::path& folder, std::vector<fs::path>& paths) {
  for (const auto& [key, item] : value.items()) {
    if (item.is_string() && names_a_file(key)) paths.push_back(folder / item.get<std::string>());
    if (item.is_structured()) add_paths(item, folder, paths);
  }
}

// The files that a scene reads, itself left out.
std::vector<fs::path> input_files(const Scene& scene) {
  std::vector<fs::path> paths;
  add_paths(scene.completed, fs::path(scene.source).parent_path(), paths);
  for (const MaterialFit& fit : scene.fits)
    for (const Measurement& measurement : fit.measurements) paths.emplace_back(measurement.source);
  for (const ShapeFile& shape : scene.shapes) paths.emplace_back(shape.file);
  if (!scene.initial.path.empty()) paths.emplace_back(scene.initial.path);
  for (const std::vector<std::string>& kinds : {scene.setup.solver.adaptive.library, scene.setup.solver.subspaces()})
    for (const std::string& kind : kinds)
      if (is_mode_file(kind)) paths.emplace_back(kind);
  return paths;
}

}  // namespace

void SceneOptions::add_to(CLI::App& command) {
  command.add_option("SCENE", path, "Scene file (JSON)")->required();
  add_edits_to(command);
}

void SceneOptions::add_edits_to(CLI::App& command) {
  command.add_option("--set", overrides, "path.to.key=VALUE: overrides one value of the scene (repeatable)")
      ->take_all()
      ->expected(1)
      ->allow_extra_args(false);
  command.add_option("--threads", threads, "Threads to use (default: all cores)")->check(whole_number(1, most_threads));
}

void SceneOptions::add_method_to(CLI::App& command) {
  command.add_option("--method", method, "Method, in place of the scene's solver.method")
      ->check(not_empty("the name of a method"));
  command.add_option("--steps", steps, "Steps, in place of the scene's time.steps")->check(whole_number(1, 2000000000));
}

void check_method(const char* option, const std::string& method) {
  const std::vector<std::string> names = method_names();
  if (std::ranges::find(names, method) != names.end()) return;
  fail_input(code::usage, "{}: found \"{}\", expected one of {}{}", option, shortened(method), quoted_list(names),
             did_you_mean(method, names));
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

void keep_inputs(const Scene& scene, const char* option, const std::string& path) {
  std::error_code error;
  if (path.empty() || !fs::exists(path, error)) return;
  const auto is_output = [&](const fs::path& input) { return fs::equivalent(path, input, error); };
  if (is_output(scene.source))
    fail_input(code::output_exists, "{}: found \"{}\", the scene's own file; give another name", option, path);
  if (std::ranges::any_of(input_files(scene), is_output))
    fail_input(code::output_exists, "{}: found \"{}\", a file that {} reads; give another name", option, path,
               scene.source);
}

void keep_inputs_in(const Scene& scene, const std::string& folder) {
  std::error_code error;
  const fs::path run = folder;
  for (const fs::path& input : input_files(scene)) {
    if (!fs::equivalent(input, run / "checkpoint.h5", error) &&
        !fs::equivalent(input.parent_path(), run / "frames", error))
      continue;
    fail_input(code::output_exists, "--overwrite: would remove {}, which {} reads; choose another folder with -o",
               input.string(), scene.source);
  }
}

void keep_apart(const char* first_option, const std::string& first, const char* second_option,
                const std::string& second) {
  std::error_code error;
  if (first.empty() || second.empty() || second == "-" || takes_bytes(first)) return;
  if (fs::weakly_canonical(first, error) == fs::weakly_canonical(second, error))
    fail_input(code::output_exists, "{}: found \"{}\", the file of {}; give them different names", second_option,
               second, first_option);
}

activity::Listener setup_listener(bool quiet) {
  activity::Listener listener;
  listener.interrupted = InterruptGuard::requested;
  if (!quiet) listener.progress = changing_line();
  return listener;
}

SceneText scene_text(const Scene& scene) {
  const auto folder = std::filesystem::absolute(scene.source).parent_path();
  return {scene.completed, folder.string(), "", "", measurements_of(scene.fits)};
}

std::string quoted(const std::string& word) {
  if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=:,+-") ==
      std::string::npos)
    return word;
  std::string text = "'";
  for (char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string option_text(const SceneOptions& options) {
  std::string text;
  if (!options.method.empty()) text += " --method " + options.method;
  if (options.steps >= 0) text += fmt::format(" --steps {}", options.steps);
  if (options.threads > 0) text += fmt::format(" --threads {}", options.threads);
  for (const std::string& assignment : options.overrides) text += " --set " + quoted(assignment);
  return text;
}

std::string check_command(const SceneOptions& options) {
  return fmt::format("sinew check {}{} --brief", quoted(options.path), option_text(options));
}

std::string scene_stem(const SceneOptions& options) {
  return file_stem(std::filesystem::path(options.path).stem().string());
}

}  // namespace sinew::app
