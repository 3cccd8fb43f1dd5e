// Modal cubature: given points get separate weights for each coordinate of a basis (EP, section 5; theory, section 9).
#pragma once

#include <functional>

#include "sinew/core/types.h"

namespace sinew {

// Training data from T poses of a basis with r coordinates: the reduced internal force of all tets, and the unweighted
// force of each of n points.
struct TrainingForces {
  MatX whole;  // r x T
  Index points = 0;
  // Sets of_points, T x n: entry (t, e) is coordinate j of the force of point e in pose t. Called in parallel for
  // several j.
  std::function<void(Index j, MatX& of_points)> column;
};

struct ModalWeights {
  MatX weights;           // n x r, >= 0
  VecX errors;            // by coordinate: |A w - b| / |b|
  VecX pose_errors;       // by pose: |f - cubature of f| / |f|
  double mean_error = 0;  // mean of `errors`
};

// For each coordinate j, minimises |A w - b| over w >= 0 with A_te = g_e^j(t) / |f(t)| and b_t = f^j(t) / |f(t)|.
// Solves the r small problems in parallel. Poses with zero force are left out. Reports progress (core/activity.h).
ModalWeights fit_modal_weights(const TrainingForces& training);

}  // namespace sinew
