// Output formats of a run (output.formats of the scene). A new format is a new pair of files and one row of the table
// in frame_sink.cpp.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sinew/core/warning_log.h"
#include "sinew/io/checkpoint.h"
#include "sinew/io/frame.h"
#include "sinew/io/report_rows.h"
#include "sinew/sound/sound_settings.h"

namespace sinew {

// Facts about the run that a format gets at its start.
struct SinkSettings {
  std::string folder;  // of the run
  RunFacts facts;
  SceneText scene;
  int every = 1;                              // a frame each so many steps
  const log::WarningLog* warnings = nullptr;  // of this process so far; outlives the sinks
  Json findings = Json::array();              // about the scene, as in RecorderSettings
  SoundSettings sound = {};                   // of format "wav"
};

// The record of a run that ends or stops.
struct RunRecord {
  const Json& summary;                       // as summary.json
  const std::vector<std::string>& warnings;  // of this process
};

// One format. Files appear whole or not at all, or stay readable up to the last whole frame; every failure of the disk
// is a SimulationError naming the path. Bits depend on the states alone: no wall times, no host names.
class FrameSink {
 public:
  virtual ~FrameSink() = default;

  // Call before a run continues after `step`: throws InputError if the contents of the folder do not allow it. Changes
  // nothing.
  virtual void check_resume(int /*step*/) const {}

  // Drops frames after `step`; `times` are those of steps 0 to `step` [s].
  virtual void keep_until(int step, const std::map<int, double>& times) = 0;

  virtual void write(Frame& frame) = 0;

  // At the start and after each step, also where no frame is due; before write().
  virtual void observe(Frame& /*frame*/) {}

  // After the last frame, also of a run that was stopped and may go on.
  virtual void finish(const RunRecord& /*record*/) {}
};

// The sinks of some formats, by their names; nothing is written yet. Throws InputError for an unknown name.
std::vector<std::unique_ptr<FrameSink>> make_frame_sinks(const std::vector<std::string>& formats,
                                                         const SinkSettings& settings, const System& system);

// Throws InputError when a folder that holds the frames of an earlier run cannot be written to: before anything of that
// run is deleted.
void check_frame_folders(const std::string& run_folder);

// Deletes what runs wrote into a folder in any format. Other files stay.
void remove_frames(const std::string& run_folder);

// Deletes temporary files that were left behind in `folder`, but not in its subfolders.
void remove_leftovers(const std::string& folder);

// Deletes a file if it exists. Throws SimulationError.
void remove_file(const std::string& path);

// Creates a folder of the run's folder if needed. Throws SimulationError, also when the run's folder is gone.
void make_folder(const std::string& folder);

}  // namespace sinew
