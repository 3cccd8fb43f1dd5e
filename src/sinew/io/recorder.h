// Writes the output folder of a run: frames, a row for each step, checkpoints, and the summary. It depends only on
// reports and states, not on the method.
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
  std::vector<std::string> formats{"vtu"};  // as in output.formats
  int every = 1;                            // number of steps from frame to frame
  int checkpoint = 1;                       // number of steps from checkpoint to checkpoint; 0: none
  RunFacts facts;
  SceneText scene;
  double setup_seconds = 0;                   // time from the start until the recorder starts
  const log::WarningLog* warnings = nullptr;  // for the report; must outlive the recorder
  // Findings of a check of the scene: objects with kind, severity, message and remedy. A resumed run uses the findings
  // in its checkpoint.
  Json findings = Json::array();
  SoundSettings sound = {};                                 // for format "wav"
  std::vector<std::string> fields = {}, nodal_fields = {};  // as in SinkSettings
};

std::string checkpoint_path(const std::string& folder);

// Throws InputError if the folder cannot be used in this mode. Changes nothing.
void check_output_folder(const std::string& folder, FolderMode mode);

class Recorder {
 public:
  // Creates the folder with the first frame and checkpoint. If it resumes, sets the simulation to the state of the
  // checkpoint, and drops later rows and frames. Throws InputError before writing anything (other scene, folder in
  // use), and SimulationError naming the path if writing fails.
  Recorder(RecorderSettings settings, Simulation& simulation);

  // Writes the output that is due after a step and returns the step's row. If this fails, earlier output stays
  // complete. With checkpoint = false, a resumed run computes the step again.
  const Json& record(StepReport report, bool checkpoint = true);

  // Call if settings were changed since the last step: the last checkpoint is then written again, with these settings.
  void renew_checkpoint();

  // Writes the last checkpoint, unless it exists already, and the summary.
  void finish();

  const RunTotals& totals() const { return totals_; }
  // The times of all steps so far, with total and setup [s].
  TimeSplit seconds() const;

 private:
  void lock_folder();
  void start();
  void resume();
  void remove_earlier_run();
  void open_logs(const std::vector<Json>& rows);
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
  std::optional<LineLog> sensor_log_;  // only if there are sensors
  RunTotals totals_;
  Json row_;  // row of the last step
  bool warned_of_inversion_ = false;
  bool may_checkpoint_ = true;                    // whether the current state may be written
  int checkpoint_step_ = -1;                      // step of the checkpoint on disk; -1: none
  double earlier_setup_ = 0, earlier_total_ = 0;  // times of the runs that this one continues [s]
};

}  // namespace sinew
