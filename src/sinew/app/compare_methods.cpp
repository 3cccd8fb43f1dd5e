#include <algorithm>
#include <cmath>
#include <memory>

#include <CLI/CLI.hpp>

#include "sinew/app/compare.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/progress.h"
#include "sinew/app/reached_state.h"
#include "sinew/app/scene_options.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/parallel.h"
#include "sinew/core/random_stream.h"
#include "sinew/dynamics/simulation.h"
#include "sinew/io/initial_state.h"
#include "sinew/model/automatic_scales.h"

namespace sinew::app {
namespace {

// The same model with another solver, whose tolerance may still be "auto".
std::shared_ptr<const System> with_solver(const System& system, const SolverSetup& solver) {
  auto copy = std::make_shared<System>(system);
  copy->setup.solver = solver;
  copy->setup.solver.tolerance = resolved_tolerance(solver, system);
  return copy;
}

// Change of velocities of jittered starts, over the scene's diagonal in a time step.
constexpr double velocity_rounding = 1e-9;

struct Contender {
  MethodResult result;
  std::unique_ptr<Simulation> simulation;
};

Contender make_contender(const Scene& scene, const System& system, const MethodVariant& method, bool quiet) {
  const Stopwatch setup;
  Contender contender;
  const activity::Listening listening(setup_listener(quiet));
  contender.simulation = start_simulation(with_solver(system, method.solver), scene.initial, scene.source);
  contender.simulation->set_interrupt(InterruptGuard::requested);
  contender.result.method = method.label;
  contender.result.reason = method.solver.method_reason;
  contender.result.settled = method.solver.method;
  contender.result.setup_seconds = setup.seconds();
  return contender;
}

StepError error_of(const Simulation& simulation, const Simulation& reference) {
  const System& system = reference.system();
  const Points& x = simulation.state().x;
  const Points& x0 = reference.state().x;
  const std::size_t n = system.body_vertex_count();
  const double count = std::max<double>(1, static_cast<double>(n));
  const auto distance = [&](std::size_t v) { return (x.col(v) - x0.col(v)).norm() / system.diagonal; };
  StepError error;
  error.largest = parallel_max(n, 0.0, distance);
  error.mean = parallel_sum(n, distance) / count;
  error.rms = std::sqrt(parallel_sum(n, [&](std::size_t v) { return distance(v) * distance(v); }) / count);
  return error;
}

// The same state but for a change of velocities by rounding, after which chaotic iterations take another course.
State jittered(State state, const System& system, int start) {
  RandomStream random(static_cast<std::uint64_t>(start), 0);
  const double amplitude = velocity_rounding * system.diagonal / system.setup.time.step;
  for (Index v = 0; v < system.dynamic_count; ++v)
    for (int k = 0; k < 3; ++k) state.v(k, v) += amplitude * (2 * random.uniform() - 1);
  system.place_followers(state.v);
  return state;
}

void advance(Contender& contender) {
  const StepReport report = contender.simulation->step();
  MethodStep step;
  step.step = report.step;
  step.outcome = report.outcome();
  step.seconds = report.seconds.steps;
  step.linear_solve_seconds = report.seconds.linear_solve;
  step.newton_iterations = report.newton_iterations;
  step.linear_iterations = report.linear_iterations;
  step.factorizations = report.factorizations;
  step.local_iterations = report.local_iterations;
  step.residual = report.residual;
  contender.result.steps.push_back(step);
  if (report.failed()) {
    log::warning("{}: step {} did not converge: {}", contender.result.method, report.step, report.reason);
  }
}

template <class Value>
auto sum(const MethodResult& result, Value value) {
  auto total = value(MethodStep{});
  for (const MethodStep& step : result.steps) total += value(step);
  return total;
}

template <class Value>
double largest(const MethodResult& result, Value value) {
  double most = 0;
  for (const MethodStep& step : result.steps) most = std::max(most, value(step));
  return most;
}

// "METHOD", "KEY=VALUE", ...; empty texts are kept, the last one too.
std::vector<std::string> split_variant(const std::string& text) {
  std::vector<std::string> parts = CLI::detail::split(text, ':');
  if (text.ends_with(':')) parts.emplace_back();
  return parts;
}

Json step_json(const MethodStep& step) {
  return {{"step", step.step},
          {"outcome", outcome_name(step.outcome)},
          {"seconds", step.seconds},
          {"linear_solve_seconds", step.linear_solve_seconds},
          {"newton_iterations", step.newton_iterations},
          {"linear_iterations", step.linear_iterations},
          {"factorizations", step.factorizations},
          {"local_iterations", step.local_iterations},
          {"residual", step.residual},
          {"max_error", step.error.largest},
          {"mean_error", step.error.mean},
          {"rms_error", step.error.rms}};
}

}  // namespace

void check_variant(const char* option, const std::string& text) {
  const std::vector<std::string> parts = split_variant(text);
  check_method(option, parts.front());
  for (std::size_t k = 1; k < parts.size(); ++k) {
    const std::string key = parts[k].substr(0, parts[k].find('='));
    if (key.empty() || key == parts[k]) {
      fail_input(code::usage, "{}: found \"{}\" in \"{}\", expected KEY=VALUE of solver, such as handles=100", option,
                 parts[k], text);
    }
    if (key == "method" || key == "linear_solver") {
      fail_input(code::usage, "{}: found {} in \"{}\", but the method is the word before the first colon", option, key,
                 text);
    }
  }
}

MethodVariant read_variant(const char* option, const std::string& text, const SceneOptions& options) {
  check_variant(option, text);
  const std::vector<std::string> parts = split_variant(text);
  SceneOptions changed = options;
  changed.quiet = changed.no_warnings = true;
  changed.method = parts.front();
  for (std::size_t k = 1; k < parts.size(); ++k) changed.overrides.push_back("solver." + parts[k]);
  const Scene scene = read_scene(changed);
  return {text, scene.setup.solver, scene.completed, scene.warnings};
}

std::vector<MethodResult> compare_methods(const Scene& scene, std::shared_ptr<const System> system,
                                          const CompareSettings& settings) {
  std::vector<Contender> contenders;
  for (const MethodVariant& method : settings.methods)
    contenders.push_back(make_contender(scene, *system, method, settings.quiet));

  Contender start = make_contender(scene, *system, settings.reach, settings.quiet);
  SceneText reached_by = scene_text(scene);
  reached_by.completed = settings.reach.scene;
  reach_step(*start.simulation, reached_by, settings.from, settings.quiet);

  Simulation& reference = *contenders.front().simulation;
  reference.replace(start.simulation->state());
  if (contenders.size() > 1) {  // one step thrown away: the first method would pay for first touches and thread starts
    if (settings.reach.label != settings.methods.front().label) {
      start = make_contender(scene, *system, settings.methods.front(), settings.quiet);
      start.simulation->replace(reference.state());
    }
    start.simulation->step();
  }
  start.simulation.reset();

  const State first = reference.state();
  Progress progress(0, settings.starts * settings.steps, Progress::style_of_stderr(settings.quiet));
  for (int done = 0; done < settings.starts * settings.steps; ++done) {
    if (InterruptGuard::requested()) throw SimulationError(code::interrupted, "interrupted");
    const int step = done % settings.steps;
    if (step == 0 && done > 0) reference.replace(jittered(first, *system, done / settings.steps));
    for (std::size_t c = 1; c < contenders.size() && (step == 0 || !settings.free); ++c)
      contenders[c].simulation->replace(reference.state());
    for (Contender& contender : contenders) advance(contender);
    for (Contender& contender : contenders)
      contender.result.steps.back().error = error_of(*contender.simulation, reference);
    progress.update(done + 1);  // a split of the times of all methods together would say little
  }
  std::vector<MethodResult> results;
  for (Contender& contender : contenders) results.push_back(std::move(contender.result));
  return results;
}

Json comparison_report(const std::string& scene, const CompareSettings& settings,
                       const std::vector<MethodResult>& results) {
  Json report = {{"scene", scene},          {"from", settings.from},
                 {"steps", settings.steps}, {"starts", settings.starts},
                 {"free", settings.free},   {"methods", Json::array()}};
  const auto seconds = [](const MethodStep& s) { return s.seconds; };
  const double starts = settings.starts;
  for (const MethodResult& r : results) {
    const double total = sum(r, seconds);
    Json steps = Json::array();
    for (const MethodStep& step : r.steps) steps.push_back(step_json(step));
    const auto steps_with = [&](Outcome outcome) { return std::ranges::count(r.steps, outcome, &MethodStep::outcome); };
    const auto mean = [&](auto value) {
      const auto of_all = sum(r, value);
      return settings.starts == 1 ? Json(of_all) : Json(static_cast<double>(of_all) / starts);
    };
    Json row = {{"method", r.method},
                {"seconds", total / starts},
                {"setup_seconds", r.setup_seconds},
                {"newton_iterations", mean([](const MethodStep& s) { return s.newton_iterations; })},
                {"linear_iterations", mean([](const MethodStep& s) { return s.linear_iterations; })},
                {"local_iterations", mean([](const MethodStep& s) { return s.local_iterations; })},
                {"speedup", total > 0 ? Json(sum(results.front(), seconds) / total) : Json(nullptr)},
                {"max_error", largest(r, [](const MethodStep& s) { return s.error.largest; })},
                {"mean_error", largest(r, [](const MethodStep& s) { return s.error.mean; })},
                {"rms_error", largest(r, [](const MethodStep& s) { return s.error.rms; })},
                {"residual", largest(r, [](const MethodStep& s) { return s.residual; })},
                {"steps_converged", steps_with(Outcome::converged)},
                {"steps_budget", steps_with(Outcome::budget)},
                {"steps_failed", steps_with(Outcome::failed)},
                {"each_step", steps}};
    if (!r.reason.empty()) {
      row["settled_method"] = r.settled;
      row["method_reason"] = r.reason;
    }
    report["methods"].push_back(std::move(row));
  }
  return report;
}

}  // namespace sinew::app
