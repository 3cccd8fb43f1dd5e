// Proper orthogonal decomposition: the displacements of an earlier run in as few modes as possible (theory, section 9).
#pragma once

#include <vector>

#include "sinew/core/types.h"

namespace sinew {

struct SnapshotModes {
  VecX energies;  // share of the snapshots' sum of squares in each mode, descending
  MatX vectors;   // 3 n x k, interleaved, orthonormal in the mass
};

// Returns `count` modes, fewer if the snapshots span fewer, by the method of snapshots (Sirovich 1987). They minimise
// the residual of the displacements (3 x n each) in squares weighted by mass (n).
SnapshotModes snapshot_modes(const std::vector<Points>& displacements, const std::vector<double>& mass, Index count);

}  // namespace sinew
