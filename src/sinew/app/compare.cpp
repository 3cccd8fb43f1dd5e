// sinew compare: the command.

#include "sinew/app/compare.h"

#include <algorithm>
#include <memory>
#include <optional>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/scene_options.h"
#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/dynamics/method_choice.h"
#include "sinew/dynamics/methods.h"
#include "sinew/io/initial_state.h"
#include "sinew/lint/handle_warnings.h"
#include "sinew/lint/memory.h"
#include "sinew/lint/scene_check.h"

namespace sinew::app {
namespace {

constexpr int default_steps = 10;

struct CompareOptions {
  SceneOptions scene;
  std::string methods;  // separated by commas
  int from = -1, steps = default_steps, starts = 1;
  bool free = false;
  std::string reach, json;
  bool quiet = false;
};

void print_comparison(const Json& report) {
  std::size_t width = 20;
  for (const Json& m : report["methods"]) width = std::max(width, m["method"].get_ref<const std::string&>().size());
  fmt::print("{:<{}} {:>10} {:>10} {:>8} {:>8} {:>8} {:>10} {:>10} {:>10} {:>10}\n", "method", width, "seconds",
             "setup [s]", "newton", "local", "linear", "speedup", "max error", "mean error", "residual");
  for (const Json& m : report["methods"]) {
    fmt::print("{:<{}} {:>10.4g} {:>10.4g} {:>8.10g} {:>8.3g} {:>8.10g} {:>10.3g} {:>10.3g} {:>10.3g} {:>10.3g}\n",
               m["method"].get<std::string>(), width, m["seconds"].get<double>(), m["setup_seconds"].get<double>(),
               m["newton_iterations"].get<double>(), m["local_iterations"].get<double>(),
               m["linear_iterations"].get<double>(), m["speedup"].is_null() ? 0.0 : m["speedup"].get<double>(),
               m["max_error"].get<double>(), m["mean_error"].get<double>(), m["residual"].get<double>());
  }
  fmt::print(
      "{} steps from step {} of {}; error: largest distance to {} in any step, divided by the scene's diagonal\n",
      report["steps"].get<int>(), report["from"].get<int>(), report["scene"].get<std::string>(),
      report["methods"][0]["method"].get<std::string>());
  if (const int starts = report["starts"]; starts > 1)
    fmt::print("seconds and iterations are means over {} starts; errors and failed steps are over all of them\n",
               starts);
  for (const Json& m : report["methods"]) {
    if (!m.contains("method_reason")) continue;
    fmt::print("{} is {}: {}\n", m["method"].get<std::string>(), m["settled_method"].get<std::string>(),
               m["method_reason"].get<std::string>());
  }
  for (const Json& m : report["methods"]) {
    const std::string method = m["method"];
    if (const int failed = m["steps_failed"]; failed > 0)
      fmt::print("{} of these steps failed to converge with {}\n", failed, method);
    if (const int budget = m["steps_budget"]; budget > 0)
      fmt::print("{} of these steps ended at the budget of solver.iterations with {}\n", budget, method);
  }
}

// The parts of "a, b".
std::vector<std::string> split_methods(const std::string& list) {
  std::vector<std::string> methods = CLI::detail::split(list, ',');
  if (list.empty() || list.back() == ',') methods.emplace_back();
  for (std::string& method : methods) {
    CLI::detail::trim(method);
    if (method.empty()) {
      fail_input(code::usage, "--methods: found an empty name in \"{}\", expected names of methods separated by commas",
                 list);
    }
  }
  return methods;
}

// That a setting has no effect on one method matters only when it has none on the others either.
void log_common_warnings(const std::vector<MethodVariant>& methods) {
  for (const std::string& warning : methods.front().warnings) {
    const bool common = std::ranges::all_of(
        methods, [&](const MethodVariant& m) { return std::ranges::find(m.warnings, warning) != m.warnings.end(); });
    if (common) log::message(log::Level::warning, warning);
  }
}

int execute(const CompareOptions& options) {
  if (options.quiet) log::set_threshold(log::Level::error);
  CompareSettings settings;
  if (!options.json.empty()) require_folder_of(options.json);
  settings.steps = options.steps;
  settings.free = options.free;
  settings.starts = options.starts;
  settings.quiet = options.quiet;
  const ThreadLimit threads(options.scene.threads);
  const InterruptGuard guard;
  const std::vector<std::string> methods = split_methods(options.methods);
  for (const std::string& method : methods) check_variant("--methods", method);
  if (!options.reach.empty()) check_variant("--reach", options.reach);

  SceneOptions silent = options.scene;
  silent.no_warnings = true;
  silent.quiet = options.quiet;
  Scene scene = read_scene(silent);
  keep_inputs(scene, "--json", options.json);
  for (const std::string& method : methods)
    settings.methods.push_back(read_variant("--methods", method, options.scene));
  settings.reach =
      options.reach.empty() ? settings.methods.front() : read_variant("--reach", options.reach, options.scene);
  SceneCheck check({.intersections = true, .handles = true});
  log_common_warnings(settings.methods);
  settings.from = options.from >= 0 ? options.from : scene.compare_from;
  check.look_at(scene.setup);
  if (options.starts > 1 && scene.setup.time.integrator == Integrator::statics)
    fail_input(code::usage,
               "--starts: found {} in a scene of load steps, where starts cannot differ by their velocities; leave the "
               "option out",
               options.starts);
  const std::shared_ptr<const System> system = build_system(scene);
  const std::optional<InitialMotion> motion = read_start(scene.initial, *system, scene.source);
  check.look_at(scene, *system, start_state(*system, motion), motion);
  check.tell(check_command(options.scene));
  settle_method(settings.reach.solver, *system);
  for (MethodVariant& method : settings.methods) {
    settle_method(method.solver, *system);
    check_memory(*system, resolved_method(method.solver));
    warn_of_handles(*system, method.solver, method.label);
  }
  const Json report = comparison_report(system->setup.name, settings, compare_methods(scene, system, settings));
  print_comparison(report);
  if (!options.json.empty()) write_file_atomically(options.json, report.dump(2) + "\n");
  return 0;
}

}  // namespace

Action add_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  options->scene.add_to(app);
  app.add_option("--methods", options->methods,
                 "Methods, separated by commas; the first is the reference. METHOD:KEY=VALUE:... changes keys of "
                 "solver for that method")
      ->required();
  app.add_option("--from", options->from,
                 "Step whose state every method starts from (default: compare.from of the scene)")
      ->check(whole_number(0, 2000000000));
  app.add_option("--reach", options->reach, "Method that computes the steps before --from (default: the first)")
      ->check(not_empty("the name of a method"));
  app.add_option("--steps", options->steps, "Steps to compare (default: 10)")->check(whole_number(1, 2000000000));
  app.add_option("--starts", options->starts,
                 "Starts whose velocities differ by rounding; the numbers are means over them (default: 1)")
      ->check(whole_number(1, 1000));
  app.add_flag("--free", options->free,
               "Each method follows its own states; by default every step starts from the state of the first method");
  app.add_option("--json", options->json, "Write the numbers to this file too")->check(not_empty("the name of a file"));
  app.add_flag("--quiet", options->quiet, "Print only errors and the table");
  return [options] { return execute(*options); };
}

}  // namespace sinew::app
