// Formats "gltf", "usda" and "mdd", in the folder of that name in the run's. Positions are recorded in point caches in
// its subfolder cache/. The files are written from them when the run ends or is stopped.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/frame_sink.h"
#include "sinew/io/surface_cache.h"

namespace sinew {

// One kind of file for whole animations.
struct AnimationKind {
  const char* name;       // of the format, of its folder
  const char* extension;  // with the dot
  // Writes the files of an animation. base: path without extension.
  void (*write)(const std::string& base, const SurfaceAnimation& animation);
};

inline constexpr const char* animation_cache_folder = "cache";

// pc2_animation: only for recorded runs (sinew export); format "pc2" of runs is Pc2Frames.
extern const AnimationKind gltf_animation, usda_animation, mdd_animation, pc2_animation;

class AnimationFrames : public FrameSink {
 public:
  AnimationFrames(const AnimationKind& kind, const SinkSettings& settings, const System& system);

  void check_resume(int step) const override;
  void keep_until(int step, const std::map<int, double>& times) override;
  void write(Frame& frame) override;
  void finish(const RunRecord& record) override;

  static void remove_all(const AnimationKind& kind, const std::string& run_folder);

 private:
  const AnimationKind& kind_;
  std::string folder_, name_;
  int every_;
  SurfaceParts parts_;
  SurfaceCache cache_;
  std::vector<double> times_;  // of recorded frames
};

}  // namespace sinew
