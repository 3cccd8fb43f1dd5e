// Recordings of a live simulation: numbered output folders, each with the script of what users did.
#pragma once

#include <optional>
#include <string>

#include "sinew/io/recorder.h"
#include "sinew/live/controls.h"
#include "sinew/live/events.h"

namespace sinew {

class LiveRecording {
 public:
  // Recording k goes to `settings.folder`_k; folders that exist are passed over. simulation and controls must outlive
  // it.
  LiveRecording(RecorderSettings settings, Simulation& simulation, const LiveControls& controls);

  bool runs() const { return recorder_.has_value(); }
  const std::string& folder() const { return folder_; }  // of the recording that runs

  // Each throws SimulationError where the disk refuses. What was written before stays whole.
  void start();
  bool end();                                    // whether one ran
  const Json& record(const StepReport& report);  // the row of a step, while one runs
  // What a user did, with the step that it came before. Nothing where none runs.
  void add(const LiveEvent& event);

 private:
  RecorderSettings settings_;
  Simulation& simulation_;
  const LiveControls& controls_;
  LiveScript script_;
  std::optional<Recorder> recorder_;
  std::string folder_;
  int count_ = 0;
};

}  // namespace sinew
