// The mutable state of a full-space run.
#pragma once

#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

struct State {
  Points x;           // 3 x n_all [m], obstacles included
  Points v;           // 3 x n_all [m/s]
  Points x_previous;  // 3 x n_all, one step back; empty: no history (BDF2 then starts with implicit Euler)
  Points v_previous;
  double previous_step = 0;  // from x_previous to x [s]; 0: the scene's time step
  Points a;                  // 3 x n_all [m/s^2]; empty: not known (Newmark then starts with implicit Euler)
  std::vector<PlaneState> planes, planes_previous;  // like x, x_previous
  double time = 0;                                  // [s]; in statics the share of the load, 0 to 1
  double start_time = 0;                            // of step 0: not 0 in a run that starts from another one's state
  int step = 0;                                     // steps done, since then
  double contact_stiffness = 0;                     // kappa [Pa], which grows when adaptive
  std::vector<char> held;                           // by tie, flags: it has not ended; empty: there are none
};

// Forgets earlier steps: the next one starts without history.
inline void drop_history(State& state) {
  state.x_previous.resize(3, 0);
  state.v_previous.resize(3, 0);
  state.a.resize(3, 0);
  state.previous_step = 0;
}

}  // namespace sinew
