// sinew modes: modes of a scene's bodies at rest, or of the frames of an earlier run, as numbers, as a file and as a
// page.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/scene_options.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/suggest.h"
#include "sinew/core/timer.h"
#include "sinew/io/initial_state.h"
#include "sinew/io/modes_page.h"
#include "sinew/io/vtu_frames.h"
#include "sinew/modes/mode_cache.h"
#include "sinew/modes/mode_file.h"
#include "sinew/modes/mode_kinds.h"
#include "sinew/modes/mode_reduction.h"
#include "sinew/modes/snapshot_modes.h"
#include "sinew/multilevel/hierarchy.h"

namespace sinew::app {
namespace {

constexpr const char* of_frames = "pod";

struct ModesOptions {
  SceneOptions scene;
  std::string kind = "linear";
  int count = 20;
  int linear = 0;         // of derivatives; 0: automatic
  int order = 1;          // of derivatives
  std::string reduction;  // of derivatives; empty: the default
  std::string run;        // of pod
  std::string file, html;
};

ModeSet modes_of_frames(const ModesOptions& options, const System& system) {
  if (options.run.empty()) fail_input(code::usage, "--kind pod: needs the folder of a run; give it with --frames");
  const std::vector<std::string> files = VtuFrames::body_files(options.run);
  if (files.empty())
    fail_input(
        code::run_folder,
        "--frames: found no frames (.vtu) in \"{}/{}\", expected the folder of a run with output.formats \"vtu\"",
        options.run, VtuFrames::folder_name);
  std::vector<Points> displacements;
  for (const std::string& file : files) {
    InitialSetup frame;
    frame.path = file;
    frame.reset_time = true;
    const Index n = system.dynamic_count;
    displacements.push_back(read_initial(frame, system).x.leftCols(n) - system.rest.leftCols(n));
  }
  SnapshotModes modes = snapshot_modes(displacements, system.mass, options.count);
  if (modes.vectors.cols() == 0)
    fail_input(code::run_folder, "--frames: the {} frames have no displacement; give a run whose bodies move",
               displacements.size());
  if (modes.vectors.cols() < options.count)
    log::warning("--count: found {} modes of kind \"{}\", expected at most {}, which the {} frames span", options.count,
                 options.kind, modes.vectors.cols(), displacements.size());
  return {options.kind, std::move(modes.energies), std::move(modes.vectors)};
}

ModeSet modes_at_rest(const ModesOptions& options, const System& system) {
  const activity::Listening listening(setup_listener(options.scene.quiet));
  ModeOptions wanted;
  wanted.count = {options.count, "--count"};
  wanted.nonlinear.linear = {options.linear, "--linear"};
  wanted.nonlinear.order = options.order;
  if (!options.reduction.empty()) wanted.nonlinear.reduction = options.reduction;
  return kept_modes(*find_mode_kind(options.kind), system, prescribed_at_start(system), wanted);
}

// Options that have no effect are refused.
void check(const ModesOptions& options) {
  std::vector<std::string> known = mode_kind_names();
  known.emplace_back(of_frames);
  if (std::ranges::find(known, options.kind) == known.end())
    fail_input(code::usage, "--kind: found \"{}\", expected one of {}{}", options.kind, quoted_list(known),
               did_you_mean(options.kind, known));
  if (options.kind != of_frames && !options.run.empty())
    fail_input(code::usage, "--frames: has an effect only with --kind pod; remove it, or add --kind pod");
  const ModeKind* kind = find_mode_kind(options.kind);
  const bool nonlinear = kind && kind->is_nonlinear;
  const std::pair<bool, const char*> given[] = {
      {options.linear != 0, "--linear"}, {options.order != 1, "--order"}, {!options.reduction.empty(), "--reduce"}};
  for (const auto& [is_given, name] : given)
    if (is_given && !nonlinear)
      fail_input(code::usage,
                 "{}: has an effect only with --kind derivatives or inertia_derivatives; remove it, or choose one of "
                 "these kinds",
                 name);
  const std::vector<std::string> methods = reduction_methods();
  if (!options.reduction.empty() && std::ranges::find(methods, options.reduction) == methods.end())
    fail_input(code::usage, "--reduce: found \"{}\", expected one of {}{}", options.reduction, quoted_list(methods),
               did_you_mean(options.reduction, methods));
}

void print(const ModeSet& modes) {
  const bool frames = modes.kind == of_frames;
  fmt::print("{:>5}  {:>16}\n", "mode", frames ? "share of energy" : "frequency [Hz]");
  for (Index i = 0; i < modes.values.size(); ++i) {
    const double value = modes.values[i];
    if (frames)
      fmt::print("{:5}  {:16.9g}\n", i + 1, value);
    else if (value == 0)
      fmt::print("{:5}  {:>16}\n", i + 1, "rigid");
    else
      fmt::print("{:5}  {:16.9g}\n", i + 1, std::sqrt(value) / (2 * std::numbers::pi));
  }
}

int execute(const ModesOptions& options) {
  check(options);
  for (const std::string* path : {&options.file, &options.html})
    if (!path->empty()) require_folder_of(*path);
  keep_apart("-o", options.file, "--html", options.html);
  const ThreadLimit threads(options.scene.threads);
  const InterruptGuard guard;
  Scene scene = read_scene(options.scene);
  keep_inputs(scene, "-o", options.file);
  keep_inputs(scene, "--html", options.html);
  const std::shared_ptr<const System> system = build_system(scene);
  const Stopwatch watch;
  const bool frames = options.kind == of_frames;
  const ModeSet modes = frames ? modes_of_frames(options, *system) : modes_at_rest(options, *system);
  const double seconds = watch.seconds();
  print(modes);
  fmt::print("{} modes of {} vertices in {:.3g} s\n", modes.values.size(), system->dynamic_count, seconds);
  if (!options.file.empty()) {
    write_modes(options.file, *system, modes);
    fmt::print("{}\n", options.file);
  }
  if (!options.html.empty()) {
    write_modes_page(options.html, {*system, modes, scene.completed});
    fmt::print("{}\n", options.html);
  }
  return 0;
}

}  // namespace

Action add_modes(CLI::App& app) {
  const auto options = std::make_shared<ModesOptions>();
  options->scene.add_to(app);
  std::string kinds;
  for (const ModeKind& kind : mode_kinds()) kinds += fmt::format("{}: {}. ", kind.name, kind.summary);
  app.add_option("--kind", options->kind,
                 fmt::format("{}{}: principal components of a run's frames. Default: linear", kinds, of_frames))
      ->check(not_empty("the name of a kind"));
  app.add_option("--count", options->count, "Number of modes (default: 20); linear modes include rigid motions")
      ->check(whole_number(1, 1000000));
  app.add_option("--linear", options->linear,
                 "Number of linear modes to differentiate (default: enough for three times --count candidates)")
      ->check(whole_number(1, 1000));
  app.add_option("--order", options->order, "The highest order of the derivatives (default: 1)")
      ->check(whole_number(1, 10));
  app.add_option("--reduce", options->reduction,
                 "How to reduce many candidates to few modes: pca (principal components in the mass norm, default) or "
                 "random (random combinations)")
      ->check(not_empty("the name of a method"));
  app.add_option("--frames", options->run, "Output folder of a run whose frames give the modes of kind pod")
      ->check(not_empty("a folder"));
  app.add_option("-o,--output", options->file, "Write the modes to this NumPy file (.npz)")
      ->check(not_empty("the name of a file"));
  app.add_option("--html", options->html, "Write a page with an animation of each mode to this file")
      ->check(not_empty("the name of a file"));
  return [options] { return execute(*options); };
}

}  // namespace sinew::app
