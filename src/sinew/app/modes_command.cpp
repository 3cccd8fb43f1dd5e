// sinew modes: modes of a scene's bodies at rest or about a state, or of the frames of an earlier run, as numbers, as a
// file and as a page.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/perturbation_options.h"
#include "sinew/app/scene_options.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/suggest.h"
#include "sinew/core/timer.h"
#include "sinew/io/initial_state.h"
#include "sinew/io/modes_page.h"
#include "sinew/io/report_rows.h"
#include "sinew/io/vtu_frames.h"
#include "sinew/modes/mode_cache.h"
#include "sinew/modes/mode_file.h"
#include "sinew/modes/mode_kinds.h"
#include "sinew/modes/mode_reduction.h"
#include "sinew/modes/snapshot_modes.h"
#include "sinew/multilevel/hierarchy.h"
#include "sinew/perturbation/vibrations.h"

namespace sinew::app {
namespace {

constexpr const char* of_frames = "pod";
constexpr const char *exact = "exact", *sampled = "sampled";  // products of inertia modes

struct ModesOptions {
  SceneOptions scene;
  std::string kind = "linear";
  int count = 20;
  int linear = 0;                      // of derivatives; 0: automatic
  int order = 1;                       // of derivatives
  std::string reduction;               // of derivatives; empty: the default
  std::string start;                   // of inertia modes; empty: the default
  std::string products = "exact";      // of inertia modes
  std::optional<double> least_cosine;  // with sampled products
  std::string run;                     // of pod
  PerturbationOptions perturbation;    // of linear modes about a state
  std::string file, html, json;
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

// The names of a list, which are separated by commas.
InertiaStart starts(const std::string& list) {
  if (list.empty()) return {};
  InertiaStart names = CLI::detail::split(list, ',');
  if (list.back() == ',') names.emplace_back();
  const std::vector<std::string>& known = inertia_starts();
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) == known.end())
      fail_input(code::usage, "--start: found \"{}\", expected names separated by commas, each one of {}{}", name,
                 quoted_list(known), did_you_mean(name, known));
    if (std::ranges::count(names, name) > 1)
      fail_input(code::usage, "--start: found \"{}\" twice, expected each name once", name);
  }
  return names;
}

ModeSet modes_at_rest(const ModesOptions& options, const System& system) {
  const activity::Listening listening(setup_listener(options.scene.quiet));
  ModeOptions wanted;
  wanted.count = {options.count, "--count"};
  wanted.nonlinear.linear = {options.linear, "--linear"};
  wanted.nonlinear.order = options.order;
  if (!options.reduction.empty()) wanted.nonlinear.reduction = options.reduction;
  wanted.inertia.start = starts(options.start);
  wanted.inertia.orthogonal.reduced = options.products == sampled;
  if (options.least_cosine) wanted.inertia.orthogonal.least_cosine = *options.least_cosine;
  return kept_modes(*find_mode_kind(options.kind), system, prescribed_at_start(system), wanted);
}

ModeSet modes_about_state(const ModesOptions& options, const Scene& scene, const System& system) {
  const Tangent tangent = options.perturbation.tangent(scene, system);
  const activity::Listening listening(setup_listener(options.scene.quiet));
  return vibrations(tangent, options.count);
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
  options.perturbation.contacts();
  if (options.perturbation.given() && options.kind != "linear")
    fail_input(
        code::usage,
        "{}: has an effect only with --kind linear; remove it, or choose this kind, which computes vibrations about "
        "a state",
        options.perturbation.state.empty() ? "--contact" : "--state");
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
  const std::pair<bool, const char*> of_inertia[] = {{!options.start.empty(), "--start"},
                                                     {options.products != exact, "--products"},
                                                     {options.least_cosine.has_value(), "--least-cosine"}};
  for (const auto& [is_given, name] : of_inertia)
    if (is_given && !(kind && kind->is_inertia))
      fail_input(code::usage,
                 "{}: has an effect only with --kind inertia or inertia_derivatives; remove it, or choose one of these "
                 "kinds",
                 name);
  const std::vector<std::string> products = {exact, sampled};
  if (std::ranges::find(products, options.products) == products.end())
    fail_input(code::usage, "--products: found \"{}\", expected one of {}{}", options.products, quoted_list(products),
               did_you_mean(options.products, products));
  if (options.least_cosine && !(*options.least_cosine >= 0 && *options.least_cosine <= 1))
    fail_input(code::usage, "--least-cosine: found {:g}, expected a number from 0 to 1", *options.least_cosine);
  if (options.least_cosine && options.products != sampled)
    fail_input(code::usage,
               "--least-cosine: has an effect only with --products sampled; remove it, or add --products sampled");
  starts(options.start);
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
      fmt::print("{:5}  {:>16}\n", i + 1, modes.kind == "linear" ? "rigid" : "no stiffness");
    else if (value < 0)
      fmt::print("{:5}  {:>16}  grows by exp({:.6g} t / s)\n", i + 1, "unstable", std::sqrt(-value));
    else
      fmt::print("{:5}  {:16.9g}\n", i + 1, std::sqrt(value) / (2 * std::numbers::pi));
  }
}

// Frequencies [Hz] are 0 for motions without stiffness and for unstable ones, whose values are negative; modes of
// frames have none.
Json json(const ModeSet& modes, const System& system, double seconds) {
  Json values = Json::array(), frequencies = Json::array();
  for (const double value : modes.values) {
    values.push_back(value);
    frequencies.push_back(std::sqrt(std::max(0.0, value)) / (2 * std::numbers::pi));
  }
  Json result = {{"kind", modes.kind},
                 {"modes", modes.values.size()},
                 {"vertices", system.dynamic_count},
                 {"seconds", seconds},
                 {"values", std::move(values)}};
  if (modes.kind != of_frames) result["frequencies"] = std::move(frequencies);
  return result;
}

int execute(const ModesOptions& options) {
  check(options);
  const std::pair<const char*, const std::string*> outputs[] = {
      {"-o", &options.file}, {"--html", &options.html}, {"--json", &options.json}};
  for (const auto& output : outputs)
    if (!output.second->empty()) require_folder_of(*output.second);
  keep_apart("-o", options.file, "--html", options.html);
  keep_apart("-o", options.file, "--json", options.json);
  keep_apart("--html", options.html, "--json", options.json);
  const ThreadLimit threads(options.scene.threads);
  const InterruptGuard guard;
  Scene scene = read_scene(options.scene);
  for (const auto& output : outputs) keep_inputs(scene, output.first, *output.second);
  const std::shared_ptr<const System> system = build_system(scene);
  const Stopwatch watch;
  const bool frames = options.kind == of_frames;
  const ModeSet modes = frames                         ? modes_of_frames(options, *system)
                        : options.perturbation.given() ? modes_about_state(options, scene, *system)
                                                       : modes_at_rest(options, *system);
  const double seconds = watch.seconds();
  print(modes);
  fmt::print("{} modes of {} vertices in {:.3g} s\n", modes.values.size(), system->dynamic_count, seconds);
  if (!options.file.empty()) {
    write_modes(options.file, *system, modes);
    fmt::print("{}\n", options.file);
  }
  if (!options.json.empty()) write_file_atomically(options.json, json(modes, *system, seconds).dump(2) + "\n");
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
  app.add_option(
         "--start", options->start,
         "Displacements that modes of kinds inertia and inertia_derivatives follow from, separated by commas: x, y, z "
         "(shifts), rx, ry, rz (turns), linear, quadratic (of this degree in position). Default: all shifts and turns. "
         "If the body can move rigidly, also linear and quadratic")
      ->check(not_empty("names separated by commas"));
  app.add_option(
         "--products", options->products,
         "Inner products for modes of kinds inertia and inertia_derivatives. exact (default): over all vertices. "
         "sampled: over a sample of vertices, which leaves modes only nearly orthogonal")
      ->check(not_empty("the name of a kind of products"));
  app.add_option("--least-cosine", options->least_cosine,
                 "With --products sampled: modes with a smaller cosine count as orthogonal (default: 0.001)");
  app.add_option("--frames", options->run, "Output folder of a run whose frames give the modes of kind pod")
      ->check(not_empty("a folder"));
  options->perturbation.add_to(app);
  app.add_option("-o,--output", options->file, "Write the modes to this NumPy file (.npz)")
      ->check(not_empty("the name of a file"));
  app.add_option("--json", options->json, "Write the numbers to this file too")->check(not_empty("the name of a file"));
  app.add_option("--html", options->html, "Write a page with an animation of each mode to this file")
      ->check(not_empty("the name of a file"));
  return [options] { return execute(*options); };
}

}  // namespace sinew::app
