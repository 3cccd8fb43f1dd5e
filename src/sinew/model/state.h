// The mutable state of a full-space run.
#pragma once

#include "sinew/core/types.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

struct State {
  Points x;          // 3 x n_all [m], obstacles included
  Points v;          // 3 x n_all [m/s]
  Points x_previous; // 3 x n_all, one step back; empty: no history (BDF2 then starts with implicit Euler)
  Points v_previous;
  std::vector<PlaneState> planes, planes_previous;  // like x, x_previous
  double time = 0;   // [s]
  int step = 0;      // steps done
};

}  // namespace sinew
