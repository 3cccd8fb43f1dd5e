// How the coordinates of a subspace move points: what the terms of the potential that see points alone, contact and
// springs, need to know of a subspace.
#pragma once

#include <utility>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// A point as a sparse row over the vertices of the system: the sum of their places times weights.
using PointRow = std::vector<std::pair<Index, double>>;

class PointMotion {
 public:
  virtual ~PointMotion() = default;

  virtual Index count() const = 0;
  // Into the first columns of `out`, one a point: where they are at y [m], ...
  virtual void positions(const MatX& y, Points& out) = 0;
  // ... or at what the time integrator combines of several y, ...
  virtual void reference(const MatX& y, Points& out) = 0;
  // ... or how they go from one y to another, straight.
  virtual void way(const MatX& from, const MatX& to, Points& out) = 0;

  // g += the gradient f by the points at y, of the unknowns or as the space keeps it.
  virtual void add_gradient(const MatX& y, const Points& f, MatX& g) = 0;
};

}  // namespace sinew
