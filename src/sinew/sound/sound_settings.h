// How the sound of a run is made (output.sound of a scene; theory, section 10).
#pragma once

#include <optional>

#include "sinew/core/types.h"

namespace sinew {

struct SoundSettings {
  Index modes = 100;                  // of vibration of each connected body, the lowest ones, beside its rigid motions
  double damping_ratio = 1e-3;        // of bodies without damping of their own
  double impact_time = 2e-4;          // of the pulse that stands for an impact shorter than the steps tell [s]
  double tail = 1;                    // of free vibration after the last step [s]
  std::optional<Vec3> listener = {};  // middle of the head [m]; empty: in front of the scene
  double ears = 0.18;                 // distance from ear to ear [m]
  double gain = 0;                    // of full scale, over pressure [1/Pa]; 0: the peak decides
};

inline constexpr double sample_rate = 44100;  // [1/s]
inline constexpr double lowest_heard = 20;    // [Hz]
inline constexpr double highest_heard = 2e4;  // [Hz], below half the sample rate

}  // namespace sinew
