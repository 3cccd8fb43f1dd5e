// Rotations of vertices, which warp a stiffness at rest (Mueller et al. 2002; QN, section 5).
#pragma once

#include <span>
#include <vector>

#include "sinew/model/system.h"

namespace sinew {

// R_v is the rotation nearest to the mean deformation gradient of the tets at vertex v, weighted by their volumes:
//
//   R_v = argmin_R |R - sum_e V_e F_e|,   det R = 1.
//
// R_v is the identity if v is in no tet, or has a prescribed coordinate: R then maps free coordinates to free ones.
class VertexRotations {
 public:
  // x: 3 x dynamic_count or more [m]. prescribed: 3 dynamic_count flags.
  void set(const System& system, const Points& x, std::span<const char> prescribed);

  // Sets to = R from, or R^T from. Both are 3 x dynamic_count and may be the same.
  void apply(const Points& from, Points& to) const;
  void apply_transposed(const Points& from, Points& to) const;

 private:
  std::vector<Mat3> rotation_;  // by vertex
};

}  // namespace sinew
