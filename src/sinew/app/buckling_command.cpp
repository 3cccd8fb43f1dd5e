// sinew buckling: factors on a scene's loads at which its bodies buckle, and the shapes in which they do.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/perturbation_options.h"
#include "sinew/app/scene_options.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/log.h"
#include "sinew/core/timer.h"
#include "sinew/io/modes_page.h"
#include "sinew/modes/mode_file.h"
#include "sinew/perturbation/buckling.h"

namespace sinew::app {
namespace {

struct BucklingRequest {
  SceneOptions scene;
  PerturbationOptions perturbation;
  BucklingOptions buckling;
  int count = 5;
  std::string file, json, html;
};

// The time at which the loads of a static scene reach a factor on their change from the state's time on.
double time_of(double factor, double from) {
  return from + factor * (1 - from);
}

Json numbers(const ModeSet& modes, const System& system, double from, double seconds) {
  Json factors = Json::array(), times = Json::array();
  for (const double factor : modes.values) {
    factors.push_back(factor);
    times.push_back(time_of(factor, from));
  }
  return {{"kind", modes.kind},       {"modes", modes.values.size()}, {"vertices", system.dynamic_count},
          {"seconds", seconds},       {"state_time", from},           {"factors", std::move(factors)},
          {"times", std::move(times)}};
}

void print(const ModeSet& modes, double from) {
  fmt::print("{:>5}  {:>16}{}\n", "mode", "load factor", from > 0 ? "  time of the load" : "");
  for (Index k = 0; k < modes.values.size(); ++k) {
    fmt::print("{:5}  {:16.9g}", k + 1, modes.values[k]);
    if (from > 0) fmt::print("  {:16.9g}", time_of(modes.values[k], from));
    fmt::print("\n");
  }
}

int execute(BucklingRequest& options) {
  const std::pair<const char*, const std::string*> outputs[] = {
      {"-o", &options.file}, {"--json", &options.json}, {"--html", &options.html}};
  for (const auto& output : outputs)
    if (!output.second->empty()) require_folder_of(*output.second);
  keep_apart("-o", options.file, "--json", options.json);
  keep_apart("-o", options.file, "--html", options.html);
  keep_apart("--html", options.html, "--json", options.json);
  options.perturbation.contacts();
  const ThreadLimit threads(options.scene.threads);
  const InterruptGuard guard;
  Scene scene = read_scene(options.scene);
  for (const auto& output : outputs) keep_inputs(scene, output.first, *output.second);
  const std::shared_ptr<const System> system = build_system(scene);
  require_statics(*system, "buckling");
  const Stopwatch watch;
  Tangent tangent = options.perturbation.tangent(scene, *system);
  const double from = tangent.state().time;
  options.buckling.count = options.count;
  ModeSet modes;
  {
    const activity::Listening listening(setup_listener(options.scene.quiet));
    modes = buckling(tangent, options.buckling);
  }
  const double seconds = watch.seconds();
  print(modes, from);
  if (modes.values.size() < options.count)
    log::warning(
        "--count: found {} positive load factors, expected {}; give --reverse for loads in the opposite direction",
        modes.values.size(), options.count);
  fmt::print("{} modes of {} vertices in {:.3g} s\n", modes.values.size(), system->dynamic_count, seconds);
  if (!options.json.empty()) write_file_atomically(options.json, numbers(modes, *system, from, seconds).dump(2) + "\n");
  if (!options.file.empty() && modes.values.size() > 0) {
    write_modes(options.file, *system, modes);
    fmt::print("{}\n", options.file);
  }
  if (!options.html.empty() && modes.values.size() > 0) {
    write_modes_page(options.html, {*system, modes, scene.completed});
    fmt::print("{}\n", options.html);
  }
  return 0;
}

}  // namespace

Action add_buckling(CLI::App& app) {
  const auto options = std::make_shared<BucklingRequest>();
  options->scene.add_to(app);
  options->perturbation.add_to(app);
  app.add_option("--count", options->count, "Number of load factors (default: 5)")->check(whole_number(1, 1000));
  app.add_flag("--reverse", options->buckling.reverse, "Factors of the loads in the opposite direction");
  app.add_option("-o,--output", options->file, "Write factors and shapes to this NumPy file (.npz)")
      ->check(not_empty("the name of a file"));
  app.add_option("--json", options->json, "Write the numbers to this file too")->check(not_empty("the name of a file"));
  app.add_option("--html", options->html, "Write a page with an animation of each shape to this file")
      ->check(not_empty("the name of a file"));
  return [options] { return execute(*options); };
}

}  // namespace sinew::app
