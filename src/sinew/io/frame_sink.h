// The interface of the output formats of a run (output.formats of the scene). To add a format, write a pair of files,
// and a row in the table of frame_sink.cpp.
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
  std::string folder;  // output folder of the run
  RunFacts facts;
  SceneText scene;
  int every = 1;                               // number of steps from frame to frame
  const log::WarningLog* warnings = nullptr;   // warnings of this process so far; must outlive the sinks
  Json findings = Json::array();               // findings about the scene, as in RecorderSettings
  SoundSettings sound = {};                    // for format "wav"
  std::vector<std::string> fields = {};        // further fields of frames (io/requested_fields.h)
  std::vector<std::string> nodal_fields = {};  // of tets, averaged at vertices
};

// The record of a run that ends or is stopped.
struct RunRecord {
  const Json& summary;                       // as in summary.json
  const std::vector<std::string>& warnings;  // warnings of this process
};

// One output format. Its files appear whole or not at all, or stay readable up to the last complete frame. Every
// failure to write is a SimulationError naming the path. The bytes depend only on the states: no wall times, no host
// names.
class FrameSink {
 public:
  virtual ~FrameSink() = default;

  // Call before a run continues after `step`. Throws InputError if the folder's contents do not allow this. Changes
  // nothing.
  virtual void check_resume(int /*step*/) const {}

  // Drops frames after `step`. times: the times [s] of steps 0 to `step`.
  virtual void keep_until(int step, const std::map<int, double>& times) = 0;

  // Called once after keep_until(), if the run continues, with the state that it continues from.
  virtual void resume(Frame& /*frame*/) {}

  // Whether write() does anything. Reports look at the whole mesh in steps with a frame.
  virtual bool has_frames() const { return true; }
  virtual void write(Frame& frame) = 0;

  // Called at the start and after each step, before write(), also if no frame is due.
  virtual void observe(Frame& /*frame*/) {}

  // Called after the last frame, also if the run was stopped and may continue later.
  virtual void finish(const RunRecord& /*record*/) {}
};

// Makes the sinks of the named formats; writes nothing yet. Throws InputError for an unknown name.
std::vector<std::unique_ptr<FrameSink>> make_frame_sinks(const std::vector<std::string>& formats,
                                                         const SinkSettings& settings, const System& system);

// Throws InputError if a folder with frames of an earlier run is not writable. Call it before deleting anything of that
// run.
void check_frame_folders(const std::string& run_folder);

// Deletes the files that runs of any format have written to a folder. Other files stay.
void remove_frames(const std::string& run_folder);

// Deletes temporary files that interrupted writes have left in `folder`, but not in its subfolders.
void remove_leftovers(const std::string& folder);

// Deletes a file if it exists. Throws SimulationError if that fails.
void remove_file(const std::string& path);

// Creates a folder inside the run's folder if needed. Throws SimulationError, also if the run's folder no longer
// exists.
void make_folder(const std::string& folder);

}  // namespace sinew
