// Formats "obj" and "ply": a file for each frame, in the folder frames_obj/ or frames_ply/ of the run. Frame k, step k
// * output.every, is NAME_000k.
#pragma once

#include <string>

#include "sinew/io/frame_sink.h"
#include "sinew/io/surface_frame.h"

namespace sinew {

struct SequenceKind {
  const char* name;       // of the format
  const char* folder;     // in the run's
  const char* extension;  // with the dot
  bool materials;         // whether an .mtl file is beside the frames
  bool fields;            // whether frames hold output.fields
  void (*write)(const std::string& path, const SurfaceFrame& frame, const std::string& library);
};

extern const SequenceKind obj_sequence, ply_sequence;

// The file of a frame. base: path without number and extension.
std::string sequence_path(const std::string& base, std::size_t frame, const char* extension);

// Whether a file is a frame of that base.
bool is_sequence_file(const std::string& path, const std::string& base, const char* extension);

class SequenceFrames : public FrameSink {
 public:
  SequenceFrames(const SequenceKind& kind, const SinkSettings& settings, const System& system);

  void check_resume(int step) const override;
  void keep_until(int step, const std::map<int, double>& times) override;
  void write(Frame& frame) override;

  static void remove_all(const SequenceKind& kind, const std::string& run_folder);

 private:
  std::string base() const { return folder_ + "/" + name_; }
  void add_fields(Frame& frame, SurfaceFrame& surfaces) const;

  const SequenceKind& kind_;
  std::string folder_, name_;
  int every_;
  SurfaceParts parts_;
  std::vector<std::string> fields_, nodal_fields_;
};

}  // namespace sinew
