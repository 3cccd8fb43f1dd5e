#include "sinew/live/recording.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "sinew/core/log.h"
#include "sinew/dynamics/methods.h"
#include "sinew/io/checkpoint.h"

namespace sinew {
namespace {

// A pull that moves on before the next step has but its last place.
bool replaces(const LiveEvent& event, const LiveEvent& last) {
  return event.action == LiveAction::pull && last.action == LiveAction::pull && last.step == event.step &&
         last.client == event.client && last.id == event.id;
}

}  // namespace

LiveRecording::LiveRecording(RecorderSettings settings, Simulation& simulation, const LiveControls& controls)
    : settings_(std::move(settings)), simulation_(simulation), controls_(controls) {
  script_.scene = simulation.system().setup.name;
}

void LiveRecording::start() {
  namespace fs = std::filesystem;
  RecorderSettings settings = settings_;
  std::error_code ignored;
  do {
    settings.folder = fmt::format("{}_{}", settings_.folder, ++count_);
  } while (fs::exists(settings.folder, ignored));
  simulation_.restart_clock();
  last_step_ = 0;
  steps_after_state_ = false;
  if (settings.scene.built.is_null()) settings.scene.built = settings.scene.completed;
  settings.scene.completed = controls_.completed();
  settings.facts.method = resolved_method(simulation_.system().setup.solver);
  if (settings.formats.empty()) settings.formats = {"html"};  // there is to be something to look at
  settings.checkpoint = std::numeric_limits<int>::max();      // at the end, so that the run may go on
  recorder_.emplace(settings, simulation_);
  folder_ = settings.folder;
  // What a replay starts from: settings and pulls as events, the state as a file.
  script_.start = "start.h5";
  script_.events = controls_.all();
  script_.before_start = static_cast<int>(
      std::ranges::count_if(script_.events, [](const LiveEvent& event) { return event.action != LiveAction::pull; }));
  try {
    write_checkpoint(folder_ + "/" + script_.start, settings.scene, simulation_);
  } catch (...) {
    recorder_.reset();
    throw;
  }
}

bool LiveRecording::end() {
  if (!recorder_) return false;
  recorder_->renew_checkpoint();  // settings may have changed since the last step
  recorder_->finish();
  recorder_.reset();
  // Where steps follow a state that was set, a replay comes to it and says so.
  script_.steps = steps_after_state_ ? script_.events.back().step + 1 : simulation_.clock().step;
  write_live_script(folder_ + "/script.json", script_);
  script_.events.clear();
  log::info("recorded {}", folder_);
  return true;
}

const Json& LiveRecording::record(const StepReport& report) {
  last_step_ = report.step;
  steps_after_state_ = state_was_set();
  return recorder_->record(report);
}

void LiveRecording::add(LiveEvent event) {
  if (!recorder_) return;
  if (state_was_set()) return;
  if (event.action == LiveAction::state) event.step = last_step_;  // the state may be of another step
  if (!script_.events.empty() && replaces(event, script_.events.back())) {
    script_.events.back() = std::move(event);
  } else {
    script_.events.push_back(std::move(event));
  }
}

}  // namespace sinew
