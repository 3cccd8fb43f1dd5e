// The output folder of a run: frames, a row a step, checkpoints, the summary. It sees reports and states, and knows
// nothing of the method behind them.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sinew/core/timer.h"
#include "sinew/core/warning_log.h"
#include "sinew/io/checkpoint.h"
#include "sinew/io/folder_lock.h"
#include "sinew/io/frame_sink.h"
#include "sinew/io/report_rows.h"
#include "sinew/io/step_log.h"

namespace sinew {

// How to treat an output folder that is not empty.
enum class FolderMode { refuse, resume, overwrite };

struct RecorderSettings {
  std::string folder;
  FolderMode mode = FolderMode::refuse;
  std::vector<std::string> formats{"vtu"};  // as output.formats
  int every = 1;                            // a frame each so many steps
  int checkpoint = 1;                       // a checkpoint each so many steps; 0: none
  RunFacts facts;
  SceneText scene;
  double setup_seconds = 0;                   // until the recorder starts
  const log::WarningLog* warnings = nullptr;  // for the report; outlives the recorder
  // Findings of a check of the scene: objects with kind, severity, message and remedy. A resumed run uses those of its
  // checkpoint.
  Json findings = Json::array();
  SoundSettings sound = {};  // of format "wav"
};

std::string checkpoint_path(const std::string& folder);

// Throws InputError when the folder cannot be used in this mode; touches nothing.
void check_output_folder(const std::string& folder, FolderMode mode);

class Recorder {
 public:
  // Creates the folder with the first frame and checkpoint; or, when resuming, puts the simulation into the state of
  // the checkpoint and drops later rows and frames. Throws InputError (other scene, folder in use) before anything is
  // written, SimulationError naming the path when the disk refuses.
  Recorder(RecorderSettings settings, Simulation& simulation);

  // Writes what is due after a step and returns its row. On an error everything written before stays whole. Without
  // `checkpoint` a resumed run computes the step anew.
  const Json& record(StepReport report, bool checkpoint = true);

  // Settings were changed since the last step: the last checkpoint is to be written with them.
  void renew_checkpoint();

  // Writes the last checkpoint, if it is not there yet, and the summary.
  void finish();

  const RunTotals& totals() const { return totals_; }
  // The time split of all steps so far, with total and setup.
  TimeSplit seconds() const;

 private:
  void lock_folder();
  void start();
  void resume();
  void remove_earlier_run();
  bool writes_frame(int step) const;
  void look_at_all_tets(StepReport& report);
  void write_state(int step, bool checkpoint);
  RunProgress progress() const;
  std::string path(const std::string& name) const { return settings_.folder + "/" + name; }

  RecorderSettings settings_;
  std::optional<FolderLock> lock_;
  Simulation& simulation_;
  Stopwatch watch_;
  std::vector<std::unique_ptr<FrameSink>> sinks_;
  std::optional<StepLog> log_;
  RunTotals totals_;
  Json row_;  // of the last step
  bool warned_of_inversion_ = false;
  bool may_checkpoint_ = true;                    // the present state
  int checkpoint_step_ = -1;                      // of the checkpoint on disk
  double earlier_setup_ = 0, earlier_total_ = 0;  // [s], of the runs that this one continues
};

}  // namespace sinew
