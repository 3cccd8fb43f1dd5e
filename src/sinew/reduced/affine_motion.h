// Motions as affine maps of homogeneous coordinates, for sums over many moved points.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

using AffineMap = Eigen::Matrix<double, 3, 4>;

// Returns the motion with this index in System::motions at `time` [s], as a map of (p, 1); the identity for index -1.
AffineMap affine_at(const System& system, Index motion, double time);

}  // namespace sinew
