// Modal cubature: weights of fixed points for each coordinate of a basis by itself (EP, section 5; theory, section 9).
#pragma once

#include <functional>

#include "sinew/core/types.h"

namespace sinew {

// What T poses of a basis of r coordinates teach: the reduced internal force of all tets, and that of each of the n
// points, without a weight.
struct TrainingForces {
  MatX whole;  // r x T
  Index points = 0;
  // Sets T x n: entry (t, e) is the coordinate j of the force of point e in pose t. Called for several j at once.
  std::function<void(Index j, MatX& of_points)> column;
};

struct ModalWeights {
  MatX weights;           // n x r, >= 0
  VecX errors;            // of each coordinate, |A w - b| / |b|
  VecX pose_errors;       // of each pose, |f - cubature of f| / |f|
  double mean_error = 0;  // of the coordinates
};

// Of each coordinate j the weights w >= 0 that are least in |A w - b| with A_te = g_e^j(t) / |f(t)|, b_t = f^j(t) /
// |f(t)|: r small problems, in parallel. Poses without force are left out. Tells activity of its progress.
ModalWeights fit_modal_weights(const TrainingForces& training);

}  // namespace sinew
