// The mutable state of a full-space run.
#pragma once

#include <vector>

#include "sinew/core/types.h"
#include "sinew/model/collision_mesh.h"

namespace sinew {

struct State {
  Points x;  // 3 x n_all [m], obstacles included
  Points v;  // 3 x n_all [m/s]
  // 3 x n_all, one step before; empty: no history (BDF2 then starts with implicit Euler).
  Points x_previous;
  Points v_previous;
  double previous_step = 0;  // time from x_previous to x [s]; 0: the scene's time step
  Points a;                  // 3 x n_all [m/s^2]; empty: unknown (Newmark then starts with implicit Euler)
  std::vector<PlaneState> planes, planes_previous;  // at x and at x_previous
  double time = 0;                                  // [s]; in statics the fraction of the load, 0 to 1
  double start_time = 0;         // time of step 0 [s]; not 0 in a run that starts from the state of another run
  int step = 0;                  // number of steps since start_time
  double contact_stiffness = 0;  // kappa [Pa]; grows if adaptive
  // History of viscous and plastic materials (potential/elastic_energy.h); empty: at rest until now.
  std::vector<double> material_history;
  std::vector<char> held;          // by tie: whether it still holds; empty: there are no ties
  std::vector<double> shortening;  // by bolt, across its cut [m]
};

// Forgets earlier steps, so that the next step starts without history.
inline void drop_history(State& state) {
  state.x_previous.resize(3, 0);
  state.v_previous.resize(3, 0);
  state.a.resize(3, 0);
  state.previous_step = 0;
}

}  // namespace sinew
