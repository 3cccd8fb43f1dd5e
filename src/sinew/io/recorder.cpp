#include "sinew/io/recorder.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <unistd.h>

#include "sinew/core/atomic_file.h"
#include "sinew/core/error.h"
#include "sinew/core/log.h"
#include "sinew/io/sensor_table.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

constexpr const char* checkpoint_name = "checkpoint.h5";
constexpr const char* log_name = "steps.jsonl";
constexpr const char* sensor_log_name = "sensors.csv";
constexpr const char* summary_name = "summary.json";

}  // namespace

std::string checkpoint_path(const std::string& folder) {
  return folder + "/" + checkpoint_name;
}

void check_output_folder(const std::string& folder, FolderMode mode) {
  std::error_code error;
  fs::path existing = fs::absolute(folder);
  while (!fs::exists(fs::symlink_status(existing, error)) && existing.has_relative_path())
    existing = existing.parent_path();
  if (fs::absolute(folder) != existing && !fs::is_directory(existing)) {
    fail_input(code::output_write, "{}: expected a folder for the output, but {} is a file; choose another with -o",
               folder, existing.string());
  }
  if (fs::is_directory(existing) && ::access(existing.c_str(), W_OK) != 0) {
    fail_input(code::resume, "{}: expected a folder to write to, but {} is not writable: {}; choose another with -o",
               folder, existing.string(), std::strerror(errno));
  }
  const fs::file_status status = fs::status(folder, error);
  if (fs::exists(status) && !fs::is_directory(status)) {
    fail_input(code::output_write, "{}: expected a folder for the output, found a file; choose another with -o",
               folder);
  }
  if (mode != FolderMode::refuse) check_frame_folders(folder);
  if (mode == FolderMode::resume && !fs::exists(fs::path(folder) / checkpoint_name)) {
    fail_input(code::resume,
               "{}: found no {} to resume from; run without --resume in a new folder, or with --overwrite", folder,
               checkpoint_name);
  }
  if (mode == FolderMode::refuse && fs::is_directory(status) && !fs::is_empty(folder)) {
    const bool resumable = fs::exists(fs::path(folder) / checkpoint_name);
    fail_input(code::output_exists,
               "{}: expected a new or empty folder for the output, found one with files; {}replace an earlier run with "
               "--overwrite, or choose another folder with -o",
               folder, resumable ? "continue the run with --resume, " : "");
  }
}

Recorder::Recorder(RecorderSettings settings, Simulation& simulation)
    : settings_(std::move(settings)), simulation_(simulation) {
  check_output_folder(settings_.folder, settings_.mode);
  lock_folder();
  // Once, not with each checkpoint; and as it was built, where the simulation was changed since.
  if (settings_.scene.system_hash.empty()) settings_.scene.system_hash = system_hash(simulation.system());
  settings_.scene.mesh_hash = mesh_hash(simulation.system());
  sinks_ = make_frame_sinks(settings_.formats,
                            {settings_.folder, settings_.facts, settings_.scene, settings_.every, settings_.warnings,
                             settings_.findings, settings_.sound, settings_.fields, settings_.nodal_fields},
                            simulation.system());
  if (settings_.mode == FolderMode::resume) {
    resume();
  } else {
    start();
  }
}

void Recorder::lock_folder() {
  std::error_code error;
  fs::create_directories(settings_.folder, error);
  if (error) {
    throw SimulationError(code::output_write,
                          fmt::format("{}: cannot create the output folder: {}; choose another with -o",
                                      settings_.folder, error.message()));
  }
  lock_.emplace(settings_.folder);
  check_output_folder(settings_.folder, settings_.mode);  // another run may just have ended there
}

// steps.jsonl and sensors.csv, with the rows of the run that this one continues.
void Recorder::open_logs(const std::vector<Json>& rows) {
  log_.emplace(path(log_name), rows);
  const System& system = simulation_.system();
  if (system.sensors.empty()) return;
  if (settings_.mode == FolderMode::resume) {
    // A run that was killed may lack its last line, which the checkpoint holds.
    const int kept = std::max(0, static_cast<int>(rows.size()) - 1);
    const std::string last = rows.empty() ? "" : sensor_line(rows.back(), system) + "\n";
    sensor_log_.emplace(path(sensor_log_name), sensor_lines_until(path(sensor_log_name), kept) + last);
    return;
  }
  const Json start = {
      {"step", 0}, {"time", simulation_.time()}, {"sensors", sensor_json(system.sensors, simulation_.sensors())}};
  sensor_log_.emplace(path(sensor_log_name), sensor_header(system) + "\n" + sensor_line(start, system) + "\n");
}

void Recorder::start() {
  if (settings_.mode == FolderMode::overwrite) remove_earlier_run();
  open_logs({});
  totals_.set_start(simulation_.time(), simulation_.energies());
  write_state(0, true);
}

// Only what a run writes: a folder given by mistake keeps its own files.
void Recorder::remove_earlier_run() {
  for (const char* name : {summary_name, checkpoint_name, log_name, sensor_log_name}) remove_file(path(name));
  remove_frames(settings_.folder);
  for (const auto& sink : sinks_) sink->keep_until(-1, {});  // a list may be missing
  remove_leftovers(settings_.folder);
}

void Recorder::resume() {
  const RunProgress progress = load_checkpoint(path(checkpoint_name), settings_.scene, simulation_);
  const int step = simulation_.clock().step;
  const std::vector<Json> rows = read_step_log(path(log_name), step, progress.row);
  // In lists of frames (VtuFrames): along a path of equilibria, the numbers of steps.
  const bool along_path = simulation_.system().setup.time.continuation.has_value();
  std::map<int, double> times{{0, along_path ? 0 : simulation_.state().start_time}};
  for (const Json& row : rows) {
    totals_.add(row);
    times[row.at("step")] = row.at(along_path ? "step" : "time");
  }
  if (rows.empty())
    totals_.set_start(simulation_.time(), simulation_.energies());
  else
    row_ = rows.back();
  for (const auto& sink : sinks_) sink->check_resume(step);

  // From here on the folder changes.
  remove_leftovers(settings_.folder);
  remove_file(path(summary_name));
  Frame frame(simulation_);
  for (const auto& sink : sinks_) {
    sink->keep_until(step, times);
    sink->resume(frame);
  }
  open_logs(rows);
  checkpoint_step_ = step;
  settings_.findings = progress.findings;
  earlier_setup_ = progress.setup_seconds;
  earlier_total_ = progress.total_seconds;
}

RunProgress Recorder::progress() const {
  const double setup = settings_.setup_seconds;
  return {row_, earlier_setup_ + setup, earlier_total_ + setup + watch_.seconds(), settings_.findings};
}

TimeSplit Recorder::seconds() const {
  TimeSplit seconds = totals_.seconds();
  const RunProgress times = progress();
  seconds.setup = times.setup_seconds;
  seconds.total = times.total_seconds;
  return seconds;
}

bool Recorder::writes_frame(int step) const {
  return step % settings_.every == 0 &&
         std::ranges::any_of(sinks_, [](const auto& sink) { return sink->has_frames(); });
}

void Recorder::write_state(int step, bool checkpoint) {
  Frame frame(simulation_);
  for (const auto& sink : sinks_) sink->observe(frame);
  if (writes_frame(step))
    for (const auto& sink : sinks_) sink->write(frame);
  may_checkpoint_ = checkpoint;
  if (checkpoint && settings_.checkpoint > 0 && step % settings_.checkpoint == 0) {
    write_checkpoint(path(checkpoint_name), settings_.scene, simulation_, progress());
    checkpoint_step_ = step;
  }
}

// Of reduced methods: the full-space gradient, and the smallest det F over all tets in place of that over the points of
// cubature, by which a material that must not invert may do so unseen.
void Recorder::look_at_all_tets(StepReport& report) {
  report.full_gradient = simulation_.full_gradient();
  if (!report.full_gradient) return;
  const double of_points = report.min_jacobian, of_all = report.full_gradient->min_jacobian;
  report.min_jacobian = std::min(of_points, of_all);
  const auto& groups = simulation_.system().groups;
  const bool may_not = std::ranges::any_of(groups, [](const auto& g) { return g.model->requires_positive_volume(); });
  if (warned_of_inversion_ || !may_not || of_all > 0 || of_points <= 0) return;
  warned_of_inversion_ = true;
  log::warning(
      "step {}: tets between the cubature points are inverted (smallest det F {:.2g}; at the points {:.2g} or more). "
      "Use more points (solver.cubature), more modes or handles, or a smaller time.step",
      report.step, of_all, of_points);
}

// The checkpoint comes before the row, so that the row's output time can include it; it holds the row for the case that
// the run ends between the two.
const Json& Recorder::record(StepReport report, bool checkpoint) {
  const Stopwatch output;
  if (writes_frame(report.step)) look_at_all_tets(report);
  if (!report.error) report.error = simulation_.error(report);
  row_ = step_row(report, simulation_.system().sensors);
  write_state(report.step, checkpoint);
  report.seconds.output = output.seconds();
  report.seconds.steps += report.seconds.output;
  row_ = step_row(report, simulation_.system().sensors);
  log_->append(row_);
  if (sensor_log_) sensor_log_->append(sensor_line(row_, simulation_.system()));
  totals_.add(row_);
  return row_;
}

void Recorder::renew_checkpoint() {
  checkpoint_step_ = -1;
}

void Recorder::finish() {
  const int step = simulation_.clock().step;
  if (may_checkpoint_ && settings_.checkpoint > 0 && checkpoint_step_ != step && totals_.steps() == step) {
    write_checkpoint(path(checkpoint_name), settings_.scene, simulation_, progress());
    checkpoint_step_ = step;
  }
  totals_.seconds() = seconds();
  Json summary = run_summary(settings_.facts, simulation_.system(), totals_);
  summary["findings"] = settings_.findings;
  write_file_atomically(path(summary_name), summary.dump(2) + "\n");
  const std::vector<std::string> warnings =
      settings_.warnings ? settings_.warnings->warnings() : std::vector<std::string>{};
  for (const auto& sink : sinks_) sink->finish({summary, warnings});
}

}  // namespace sinew
