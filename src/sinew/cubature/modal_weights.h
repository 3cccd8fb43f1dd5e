// Modal cubature: separate weights of given points for each coordinate of a basis (EP, section 5; theory, section 9).
#pragma once

#include <functional>

#include "sinew/core/types.h"

namespace sinew {

// Training data from T poses of a basis with r coordinates: the reduced internal force of all tets, and the unweighted
// force of each of the n points.
struct TrainingForces {
  MatX whole;  // r x T
  Index points = 0;
  // Sets T x n: entry (t, e) is the coordinate j of the force of point e in pose t. Called for several j in parallel.
  std::function<void(Index j, MatX& of_points)> column;
};

struct ModalWeights {
  MatX weights;           // n x r, >= 0
  VecX errors;            // of each coordinate, |A w - b| / |b|
  VecX pose_errors;       // of each pose, |f - cubature of f| / |f|
  double mean_error = 0;  // of the coordinates
};

// For each coordinate j, minimises |A w - b| over w >= 0 with A_te = g_e^j(t) / |f(t)| and b_t = f^j(t) / |f(t)|.
// Solves the r small problems in parallel, without poses of zero force. Reports its progress to `activity`.
ModalWeights fit_modal_weights(const TrainingForces& training);

}  // namespace sinew
