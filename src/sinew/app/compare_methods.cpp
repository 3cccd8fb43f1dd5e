#include <algorithm>
#include <memory>

#include "sinew/app/compare.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/progress.h"
#include "sinew/app/reached_state.h"
#include "sinew/app/scene_options.h"
#include "sinew/core/log.h"
#include "sinew/core/parallel.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/io/initial_state.h"

namespace sinew::app {
namespace {

// The same model with another method.
std::shared_ptr<const System> with_method(const System& system, const std::string& method) {
  auto copy = std::make_shared<System>(system);
  copy->setup.solver.method = method;
  copy->setup.solver.linear_solver.clear();
  return copy;
}

struct Contender {
  MethodResult result;
  std::unique_ptr<Simulation> simulation;
};

Contender make_contender(const Scene& scene, const System& system, const std::string& method) {
  const Stopwatch setup;
  Contender contender;
  const activity::Listening listening(setup_listener());
  contender.simulation = start_simulation(with_method(system, method), scene.initial, scene.source);
  contender.simulation->set_interrupt(InterruptGuard::requested);
  contender.result.method = method;
  contender.result.setup_seconds = setup.seconds();
  return contender;
}

void add_errors(const Simulation& reference, Contender& contender) {
  const System& system = reference.system();
  const Points& x = contender.simulation->state().x;
  const Points& x0 = reference.state().x;
  const auto distance = [&](std::size_t v) { return (x.col(v) - x0.col(v)).norm() / system.diagonal; };
  const double largest = parallel_max(system.dynamic_count, 0.0, distance);
  const double mean = parallel_sum(system.dynamic_count, distance) / std::max<Index>(1, system.dynamic_count);
  contender.result.max_error = std::max(contender.result.max_error, largest);
  contender.result.mean_error = std::max(contender.result.mean_error, mean);
}

void advance(Contender& contender) {
  const StepReport report = contender.simulation->step();
  MethodResult& result = contender.result;
  result.seconds += report.seconds.steps;
  result.newton_iterations += report.newton_iterations;
  result.linear_iterations += report.linear_iterations;
  result.residual = std::max(result.residual, report.residual);
  if (report.converged) return;
  ++result.unconverged;
  log::warning("{}: step {} did not converge: {}", result.method, report.step, report.reason);
}

}  // namespace

SceneText with_method(const Scene& scene, const std::string& method) {
  SceneText text = scene_text(scene);
  text.completed["solver"]["method"] = method;
  text.completed["solver"].erase("linear_solver");
  return text;
}

std::vector<MethodResult> compare_methods(const Scene& scene, std::shared_ptr<const System> system,
                                          const CompareSettings& settings) {
  std::vector<Contender> contenders;
  for (const std::string& method : settings.methods) contenders.push_back(make_contender(scene, *system, method));

  const std::string reach = settings.reach.empty() ? settings.methods.front() : settings.reach;
  Contender start = make_contender(scene, *system, reach);
  reach_step(*start.simulation, with_method(scene, reach), settings.from);

  Simulation& reference = *contenders.front().simulation;
  copy_state(*start.simulation, reference);
  if (contenders.size() > 1) {  // one step thrown away: the first method would pay for first touches and thread starts
    if (reach != settings.methods.front()) {
      start = make_contender(scene, *system, settings.methods.front());
      copy_state(reference, *start.simulation);
    }
    start.simulation->step();
  }
  start.simulation.reset();

  Progress progress(0, settings.steps, Progress::style_of_stderr());
  for (int step = 0; step < settings.steps; ++step) {
    if (InterruptGuard::requested()) throw SimulationError("interrupted");
    for (std::size_t c = 1; c < contenders.size(); ++c) copy_state(reference, *contenders[c].simulation);
    for (Contender& contender : contenders) advance(contender);
    for (std::size_t c = 1; c < contenders.size(); ++c) add_errors(reference, contenders[c]);
    progress.update(step + 1, {});
  }
  std::vector<MethodResult> results;
  for (Contender& contender : contenders) results.push_back(std::move(contender.result));
  return results;
}

Json comparison_report(const std::string& scene, const CompareSettings& settings,
                       const std::vector<MethodResult>& results) {
  Json report = {{"scene", scene}, {"from", settings.from}, {"steps", settings.steps}, {"methods", Json::array()}};
  for (const MethodResult& r : results) {
    report["methods"].push_back({{"method", r.method},
                                 {"seconds", r.seconds},
                                 {"setup_seconds", r.setup_seconds},
                                 {"newton_iterations", r.newton_iterations},
                                 {"linear_iterations", r.linear_iterations},
                                 {"speedup", r.seconds > 0 ? Json(results.front().seconds / r.seconds) : Json(nullptr)},
                                 {"max_error", r.max_error},
                                 {"mean_error", r.mean_error},
                                 {"residual", r.residual},
                                 {"unconverged_steps", r.unconverged}});
  }
  return report;
}

}  // namespace sinew::app
