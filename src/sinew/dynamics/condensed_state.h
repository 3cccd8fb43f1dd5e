// The state of condensed steppers, and its place in checkpoints.
#pragma once

#include <vector>

#include "sinew/core/archive.h"
#include "sinew/core/types.h"
#include "sinew/reduced/position_space.h"

namespace sinew {

// y, its velocity and history, the stretches of the points (mixed; layout of ElasticPoints), and where obstacles are,
// which lag behind a step that did not converge.
struct CondensedState {
  MatX x, v, x_previous, v_previous, a;
  std::vector<double> s;
  ObstaclePlaces obstacles;
  double contact_stiffness = 0;     // kappa [Pa], which grows when adaptive
  double time = 0, start_time = 0;  // [s]
  int step = 0;
};

void save_condensed(ArchiveWriter& archive, const CondensedState& state);

// Both throw InputError where the checkpoint is damaged, or of a state of other sizes.
CondensedState load_condensed_clock(const ArchiveReader& archive);  // time, start time and step alone
void load_condensed(const ArchiveReader& archive, Index rows, Index columns, std::size_t stretches,
                    CondensedState& state);

}  // namespace sinew
