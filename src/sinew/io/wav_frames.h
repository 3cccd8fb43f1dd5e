// Format "wav": the sound of a run (theory, section 10), in sound.wav of the run's folder. It is stereo,
// with 44,100 samples a second of 32-bit floats. It begins at the start of the run and is made from sound/steps.bin
// when the run ends, is interrupted or fails.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/io/frame_sink.h"
#include "sinew/io/sound_log.h"
#include "sinew/io/sound_source.h"

namespace sinew {

class WavFrames final : public FrameSink {
 public:
  static constexpr const char* folder_name = "sound";  // inside the run's folder

  // Throws InputError if no body makes a sound.
  WavFrames(const SinkSettings& settings, const System& system);

  void check_resume(int step) const override;
  void keep_until(int step, const std::map<int, double>& times) override;
  void resume(Frame& frame) override;
  void observe(Frame& frame) override;
  bool has_frames() const override { return false; }
  void write(Frame& /*frame*/) override {}
  void finish(const RunRecord& record) override;

  static void remove_all(const std::string& run_folder);

 private:
  void tell_far_bodies(const std::vector<SoundHistory>& histories, const StereoSound& sound) const;

  std::string folder_, path_;
  SoundSettings settings_;
  Listener listener_;
  std::unique_ptr<SoundSource> source_;
  std::vector<std::string> names_;  // names of these bodies
  SoundLog log_;
};

}  // namespace sinew
