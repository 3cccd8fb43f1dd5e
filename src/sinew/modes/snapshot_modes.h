// Proper orthogonal decomposition: represents the displacements of an earlier run by as few modes as possible (theory,
// section 9).
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct SnapshotModes {
  VecX energies;  // by mode: fraction of the snapshots' sum of squares, descending
  MatX vectors;   // 3 n x k, interleaved, orthonormal in the mass
};

// Returns `count` modes, or fewer if the snapshots span fewer, by the method of snapshots (Sirovich 1987). The modes
// minimise the sum of squared residuals of the displacements (3 x n each), weighted by mass (n).
SnapshotModes snapshot_modes(const std::vector<Points>& displacements, const std::vector<double>& mass, Index count);

}  // namespace sinew
