// Format "wav": what contacts of a run sound like (theory, section 10), in sound.wav of the run's folder: stereo,
// 44,100 samples a second of 32-bit floats. It begins at the start of the run and is made from sound/steps.bin when the
// run ends, is interrupted or fails.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/frame_sink.h"
#include "sinew/io/sound_log.h"

namespace sinew {

class WavFrames final : public FrameSink {
 public:
  static constexpr const char* folder_name = "sound";  // in that of the run

  // Computes the modes. Throws InputError where no body can be heard.
  WavFrames(const SinkSettings& settings, const System& system);

  void check_resume(int step) const override;
  void keep_until(int step, const std::map<int, double>& times) override;
  void observe(Frame& frame) override;
  void write(Frame& /*frame*/) override {}
  void finish(const RunRecord& record) override;

  static void remove_all(const std::string& run_folder);

 private:
  void tell_far_bodies(const std::vector<SoundHistory>& histories, const StereoSound& sound) const;

  std::string folder_, path_;
  SoundSettings settings_;
  Listener listener_;
  std::vector<ModalBody> bodies_;
  std::vector<std::string> names_;  // of them
  SoundLog log_;
};

}  // namespace sinew
