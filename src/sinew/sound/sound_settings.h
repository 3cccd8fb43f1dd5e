// Settings for the sound of a run (output.sound of a scene; theory, section 10).
#pragma once

#include <optional>

#include "sinew/core/types.h"

namespace sinew {

enum class SoundOrigin { modes, motion };  // what vibrates: modes that contacts excite, or the bodies in the steps

struct SoundSettings {
  SoundOrigin source = SoundOrigin::modes;
  Index modes = 100;                  // lowest modes of vibration of each connected body, without rigid motions
  double damping_ratio = 1e-3;        // for bodies that have no damping
  double impact_time = 2e-4;          // duration of the pulse for an impact that steps do not resolve [s]
  double tail = 1;                    // time of free vibration after the last step [s]
  std::optional<Vec3> listener = {};  // middle of the head [m]; empty: in front of the scene
  double ears = 0.18;                 // distance between the ears [m]
  double gain = 0;                    // full scale over pressure [1/Pa]; 0: from the peak
};

inline constexpr double sample_rate = 44100;  // [1/s]
inline constexpr double lowest_heard = 20;    // [Hz]
inline constexpr double highest_heard = 2e4;  // [Hz], below half the sample rate

}  // namespace sinew
