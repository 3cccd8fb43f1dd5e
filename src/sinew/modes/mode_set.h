// Modes of a system: dense displacements of all dynamic vertices.
#pragma once

#include <string>

#include "sinew/core/types.h"

namespace sinew {

struct ModeSet {
  std::string kind;
  VecX values;   // k: omega^2 or Rayleigh quotients [1/s^2]; for pod fractions of the energy
  MatX vectors;  // 3 dynamic_count x k, interleaved, in the system's numbering
};

}  // namespace sinew
