// Motions as maps of homogeneous coordinates, for sums over many moved points.
#pragma once

#include "sinew/model/system.h"

namespace sinew {

using AffineMap = Eigen::Matrix<double, 3, 4>;

// The motion (into System::motions) at a time, as a map of (p, 1); the identity for none.
AffineMap affine_at(const System& system, Index motion, double time);

}  // namespace sinew
