// sinew run: simulate a scene into an output folder.

#include "sinew/app/run.h"

#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "sinew/app/commands.h"
#include "sinew/app/interrupt.h"
#include "sinew/app/progress.h"
#include "sinew/app/scene_options.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/core/warning_log.h"
#include "sinew/dynamics/methods.h"
#include "sinew/io/initial_state.h"
#include "sinew/io/recorder.h"
#include "sinew/lint/memory.h"
#include "sinew/lint/scene_check.h"
#include "sinew/live/replay.h"

namespace sinew::app {
namespace {

struct RunOptions {
  SceneOptions scene;
  std::string folder, script;
  bool resume = false, overwrite = false, strict = false, quiet = false, verbose = false;
  bool tells_result = true;

  FolderMode mode() const {
    if (resume) return FolderMode::resume;
    return overwrite ? FolderMode::overwrite : FolderMode::refuse;
  }
};

RecorderSettings recorder_settings(const RunOptions& options, const Scene& scene, const System& system) {
  RecorderSettings settings;
  settings.folder = options.folder;
  settings.mode = options.mode();
  settings.formats = scene.output.formats;
  settings.every = scene.output.every;
  settings.checkpoint = scene.output.checkpoint;
  settings.sound = scene.output.sound;
  settings.fields = scene.output.fields;
  settings.nodal_fields = scene.output.nodal_fields;
  settings.facts = {system.setup.name, resolved_method(system.setup.solver), thread_count()};
  settings.scene = scene_text(scene);
  return settings;
}

// What "auto" has settled on.
void print_method(const SolverSetup& solver) {
  if (solver.method_reason.empty()) return;
  fmt::print("method {}: {}\n", solver.method, solver.method_reason);
  std::fflush(stdout);
}

// How far friction is from Coulomb's law.
void print_friction(const RunTotals& totals, const ContactSetup& contact) {
  if (totals.friction_unconverged() == 0) return;
  const bool open = contact.friction_iterations == 0;  // such steps count as failed, or ended at a budget
  fmt::print(
      "friction: in {} steps the error of a body's friction exceeds contact.friction_tolerance; the largest error is "
      "{:.2g} of coefficient times normal force{}\n",
      totals.friction_unconverged(), totals.max_friction_residual(),
      open ? "" : "; set contact.friction_iterations to \"auto\" or a larger number");
}

// Where the load turned along the path of equilibria, and whether the path has come to its end.
void print_path(const RunTotals& totals, const Simulation& simulation) {
  if (totals.limit_points().is_null()) return;
  if (!simulation.path_ended())
    fmt::print("the path is at load {:.6g} after all steps (time.steps); raise --steps and add --resume to continue\n",
               simulation.time());
  if (totals.limit_points().empty()) fmt::print("no limit point seen: the load goes up in all steps\n");
  for (const Json& point : totals.limit_points())
    fmt::print("limit point: {} of the load, {:.6g} of the full load, in step {}\n", point["kind"].get<std::string>(),
               point["load"].get<double>(), point["step"].get<int>());
}

void print_result(const Recorder& recorder, const Simulation& simulation, const RunOptions& options) {
  const TimeSplit seconds = recorder.seconds();
  fmt::print("{} steps in {:.3g} s ({}); results in {}\n", recorder.totals().steps(), seconds.steps,
             time_split_text(seconds), options.folder);
  if (recorder.totals().failed() > 0)
    fmt::print("{} steps failed to converge (\"outcome\" in {}/steps.jsonl)\n", recorder.totals().failed(),
               options.folder);
  if (recorder.totals().budget() > 0)
    fmt::print("{} steps used all of solver.iterations and ended above solver.tolerance\n", recorder.totals().budget());
  print_friction(recorder.totals(), simulation.system().setup.contact);
  print_path(recorder.totals(), simulation);
}

// The first step of each cause and term is explained in full, those like it in a line; steps.jsonl explains all.
class UnconvergedWarnings {
 public:
  void add(const StepReport& report) {
    if (!report.diagnosis) {
      log::warning("step {} did not converge: {}", report.step, report.reason);
      return;
    }
    const Diagnosis& d = *report.diagnosis;
    if (explained_.emplace(d.cause, d.term).second) {
      log::warning("step {} did not converge: {} [{}]{}", report.step, report.reason, cause_code(d.cause),
                   details_text(d));
    } else {
      const std::string where =
          d.body.empty() ? "" : fmt::format("vertex {} of body '{}', {}; ", d.vertex, d.body, d.term);
      log::warning("step {} did not converge either: {} ({}see \"diagnosis\" in steps.jsonl) [{}]", report.step,
                   report.reason, where, cause_code(d.cause));
    }
  }

 private:
  std::set<std::pair<Cause, std::string>> explained_;
};

void simulate(Simulation& simulation, LiveReplay* replay, int last, Recorder& recorder, const RunOptions& options) {
  const ProgressStyle style = Progress::style_of_stderr(options.quiet);
  const bool told = style == ProgressStyle::lines && options.verbose;  // a line for each step already
  Progress progress(simulation.clock().step, last, told ? ProgressStyle::none : style);
  const activity::Listening listening(setup_listener(true));  // a step may set up the method anew
  UnconvergedWarnings warnings;
  while (simulation.clock().step < last && !simulation.path_ended()) {
    if (InterruptGuard::requested()) throw Interrupted("interrupted");
    if (replay) replay->before_step();
    const StepReport report = simulation.step();
    const bool stop = options.strict && report.failed();
    const Json& row = recorder.record(report, !stop);
    log::debug("step {}: {} iterations, {} contacts, residual {:.3g}, {:.3g} s", report.step, report.newton_iterations,
               report.contacts, report.residual, row["seconds"]["steps"].get<double>());
    progress.update(report.step, recorder.seconds(), recorder.totals());
    if (!report.failed()) continue;
    if (stop) {
      throw SimulationError(
          code::strict,
          fmt::format("stopped by --strict at step {}, which did not converge: {}{}\n  Continue from the last "
                      "checkpoint with --resume; change values with --set",
                      report.step, report.reason, report.diagnosis ? details_text(*report.diagnosis) : ""));
    }
    warnings.add(report);
  }
}

// The command line that goes on with this run.
std::string resume_command(const RunOptions& options) {
  return fmt::format("sinew run {} -o {} --resume{}{}", quoted(options.scene.path), quoted(options.folder),
                     option_text(options.scene), options.strict ? " --strict" : "");
}

// Checkpoint and summary as far as the disk still takes them; the failure itself is reported by the caller.
void close_after_failure(Recorder& recorder) {
  try {
    recorder.finish();
  } catch (const SimulationError& error) {
    log::warning("{}", error.text());
  }
}

// A run replaces files in its folder and takes earlier ones away.
void check_folder_name(const std::string& folder) {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::weakly_canonical(std::filesystem::absolute(folder), error);
  if (path.has_relative_path()) return;
  fail_input(code::output_exists,
             "-o: found \"{}\", the root of the file system, expected a folder for this run only, such as out/drop",
             folder);
}

// A simulation that is about to run, with what a check of its scene found.
struct Start {
  Scene scene;
  std::shared_ptr<const System> system;
  std::unique_ptr<Simulation> simulation;
  std::unique_ptr<LiveReplay> replay;         // of --script
  Json findings;                              // none of a run that goes on: they are in its checkpoint
  std::unique_ptr<log::WarningLog> warnings;  // with notes of the check, without what its findings say better
};

Start start(const RunOptions& options) {
  SceneCheck check({.intersections = true, .swings = true});
  Start start;
  start.scene = read_scene(options.scene);
  Scene& scene = start.scene;
  if (options.overwrite) keep_inputs_in(scene, options.folder);
  if (!options.resume) check.look_at(scene.setup);
  const std::shared_ptr<System> system = build_system(scene);
  start.system = system;
  check_memory(*start.system, resolved_method(start.system->setup.solver));
  // A run that goes on does not need the file it once started from.
  if (options.resume && !scene.initial.path.empty()) scene.initial = {checkpoint_path(options.folder)};
  const std::optional<InitialMotion> motion = read_start(scene.initial, *start.system, scene.source);
  {
    const activity::Listening listening(setup_listener(options.quiet));
    start.simulation = start_simulation(start.system, motion, scene.source);
  }
  start.simulation->allow_changes(system);  // by a script, or as the checkpoint of a live session has it
  if (!options.script.empty()) {
    start.replay = std::make_unique<LiveReplay>(options.script, scene.completed, *start.simulation);
  }
  if (!options.resume) check.look_at(scene, *start.system, start.simulation->state(), motion);
  start.findings = check.findings().json(/*primitives=*/false);
  start.warnings = std::make_unique<log::WarningLog>();
  check.tell(check_command(options.scene));
  return start;
}

int execute(RunOptions options) {
  const Stopwatch setup;
  if (options.quiet) log::set_threshold(log::Level::error);
  if (options.verbose) log::set_threshold(log::Level::debug);
  if (options.folder.empty()) options.folder = "out/" + scene_stem(options.scene);
  check_folder_name(options.folder);
  check_output_folder(options.folder, options.mode());
  const ThreadLimit threads(options.scene.threads);
  const InterruptGuard guard;
  options.scene.quiet = options.quiet;
  const Start started = start(options);
  Simulation& simulation = *started.simulation;
  simulation.set_interrupt(InterruptGuard::requested);

  RecorderSettings settings = recorder_settings(options, started.scene, *started.system);
  settings.findings = started.findings;
  settings.setup_seconds = setup.seconds();
  settings.warnings = started.warnings.get();
  Recorder recorder = [&] {
    const activity::Listening listening(setup_listener(options.quiet));  // a format may compute something first
    return Recorder(std::move(settings), simulation);
  }();
  if (!options.quiet) print_method(started.system->setup.solver);
  const bool as_scripted = started.replay && options.scene.steps < 0 && started.replay->steps() > 0;
  const int last = as_scripted ? started.replay->steps() : started.system->setup.time.steps;
  if (options.resume && simulation.path_ended()) {
    log::warning("{}: the path of equilibria has already ended, at load {:.6g}", options.folder, simulation.time());
  } else if (options.resume && simulation.clock().step >= started.system->setup.time.steps) {
    log::warning("{}: the run has already reached step {} of {}; raise time.steps or --steps to continue",
                 options.folder, simulation.clock().step, started.system->setup.time.steps);
  }
  try {
    simulate(simulation, started.replay.get(), last, recorder, options);
  } catch (const Interrupted&) {
    close_after_failure(recorder);
    throw SimulationError(code::interrupted, fmt::format("interrupted after step {}; continue with: {}",
                                                         simulation.clock().step, resume_command(options)));
  } catch (const SimulationError&) {
    close_after_failure(recorder);
    throw;
  }
  recorder.finish();
  if (!options.quiet && options.tells_result) print_result(recorder, simulation, options);
  return 0;
}

}  // namespace

void run_into(const SceneOptions& scene, const std::string& folder, bool overwrite) {
  RunOptions options;
  options.scene = scene;
  options.folder = folder;
  options.overwrite = overwrite;
  options.tells_result = false;
  execute(options);
}

Action add_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  options->scene.add_to(app);
  options->scene.add_method_to(app);
  app.add_option("-o,--output", options->folder, "Output folder (default: out/ and the name of the scene's file)")
      ->check(not_empty("a folder, such as out/drop"));
  CLI::Option* resume = app.add_flag("--resume", options->resume, "Continue from the checkpoint in the folder");
  app.add_option("--script", options->script,
                 "Replay the changes of a script: script.json of a recording of sinew live")
      ->check(not_empty("a file"))
      ->excludes(resume);
  app.add_flag("--overwrite", options->overwrite, "Replace an earlier run in the folder")->excludes(resume);
  app.add_flag("--strict", options->strict, "Stop at the first step that fails to converge");
  CLI::Option* quiet = app.add_flag("--quiet", options->quiet, "Print only errors");
  app.add_flag("--verbose", options->verbose, "Print a line for each step")->excludes(quiet);
  return [options] { return execute(*options); };
}

}  // namespace sinew::app
