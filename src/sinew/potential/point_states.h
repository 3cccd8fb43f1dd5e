// The state of inelastic materials at the points of an elastic energy during a step: one point in a linear tet, four in
// a ten-node tet. With the deformation gradient F of the motion, a point with rest volume V has the energy
//
//   V / det G (c W(F G) + 1/2 S : (C - I)),   C = (F G)^T F G,
//
// where G undoes strain that has no stress (plastic flow, heat, preload of bolts), S is the stress that history leaves,
// c a factor (potential/inelastic_strain.h).
#pragma once

#include <vector>

#include "sinew/material/lanes.h"
#include "sinew/material/svd3.h"

namespace sinew {

struct PointStates {
  // Which of them the points of a group have.
  struct Group {
    double factor = 1;  // c
    int bulk = -1;      // the kernel parameter k of k U(J) if its stress does not relax: c W' + k U = c (W' + k/c U)
    bool has_release = false, has_stress = false, has_plastic_strain = false;
  };
  std::vector<Group> groups;
  // false: c = 1 and S = 0, and nothing flows: the material of stiffness damping (potential/damping.h).
  bool with_history = true;
  std::vector<double> release;         // G by point, row-major
  std::vector<double> stress;          // S / c by point, 00 11 22 12 02 01 [Pa]
  std::vector<double> plastic_strain;  // by point, the kernel parameter HenckyPlastic::plastic_strain
};

// b G for the rows b of a shape.
template <class L>
[[gnu::always_inline]] inline void release_shape(const L* release, L* shape) {
  L result[9];
  multiply3(shape, release, result);
  for (int k = 0; k < 9; ++k) shape[k] = result[k];
}

template <class L>
[[gnu::always_inline]] inline L determinant3(const L* m) {
  return m[0] * (m[4] * m[8] - m[5] * m[7]) + (m[1] * (m[5] * m[6] - m[3] * m[8]) + m[2] * (m[3] * m[7] - m[4] * m[6]));
}

}  // namespace sinew
