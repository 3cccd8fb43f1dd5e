// Recordings of a live simulation: numbered output folders, each with a script of the users' actions.
#pragma once

#include <optional>
#include <string>

#include "sinew/io/recorder.h"
#include "sinew/live/controls.h"
#include "sinew/live/events.h"

namespace sinew {

class LiveRecording {
 public:
  // Writes recording k to the folder `settings.folder`_k; existing folders are skipped. simulation and controls must
  // outlive this.
  LiveRecording(RecorderSettings settings, Simulation& simulation, const LiveControls& controls);

  bool runs() const { return recorder_.has_value(); }
  const std::string& folder() const { return folder_; }  // folder of the current recording

  // Each function throws SimulationError if writing fails. Output written before stays intact.
  void start();
  bool end();                                    // returns whether a recording was running
  const Json& record(const StepReport& report);  // adds the row of a step to the current recording
  // Adds an action to the current recording, if any, before the next step. After a state that was set, none is added: a
  // replay ends there.
  void add(LiveEvent event);

 private:
  bool state_was_set() const { return !script_.events.empty() && script_.events.back().action == LiveAction::state; }

  RecorderSettings settings_;
  Simulation& simulation_;
  const LiveControls& controls_;
  LiveScript script_;
  std::optional<Recorder> recorder_;
  std::string folder_;
  int count_ = 0;
  int last_step_ = 0;               // of the recording
  bool steps_after_state_ = false;  // whether steps follow a state that was set
};

}  // namespace sinew
