// Optimised cubature: chooses points one by one, with one weight each, to reproduce the forces of training poses (An,
// Kim and James 2008, algorithm 1; EP's error measure).
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "sinew/core/types.h"
#include "sinew/cubature/cubature.h"

namespace sinew {

struct OptimizedTraining {
  MatX whole;      // r x T: the reduced force of all tets in each pose
  Index tets = 0;  // number of all tets
  // r T x chosen: column k has the force of tet chosen[k] in all poses, one pose after another.
  std::function<MatX(std::span<const Index> chosen)> forces;
};

struct OptimizedOptions {
  double tolerance = 0.01;  // bound on |A w - b| / |b|, with each pose divided by its |f|
  Index points = 0;         // largest number of points; 0: no bound
  Index candidates = 1000;  // number of tets drawn at random for each new point
  std::uint64_t seed = 1;
  std::function<void(Index points, double error)> after_point = {};
};

struct OptimizedCubature {
  Cubature cubature;
  double error = 0;
};

// Greedy algorithm: adds the candidate whose forces align best with the residual, then fits all weights by NNLS. Stops
// at the tolerance, or if no candidate helps.
OptimizedCubature optimized_cubature(const OptimizedTraining& training, const OptimizedOptions& options);

}  // namespace sinew
