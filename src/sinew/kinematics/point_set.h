// Points of a subspace, for terms of the potential that see points alone: contact and springs. A set tells how
// coordinates move them.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/kinematics/coordinate_hessian.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/model/embedding.h"

namespace sinew {

// A point as a sparse row over the vertices of the system: the sum of their places times weights.
using PointRow = std::vector<std::pair<Index, double>>;

// Rewrites rows that name followers as rows over vertices with equations.
void resolve_followers(const Embedding& embedding, std::vector<PointRow>& rows);

class PointSet {
 public:
  virtual ~PointSet() = default;

  virtual Index count() const = 0;
  // Into the first columns of `out`, one a point: where they are at y [m], ...
  virtual void positions(const MatX& y, Points& out) = 0;
  // ... or at what the time integrator combines of several y, ...
  virtual void reference(const MatX& y, Points& out) = 0;
  // ... or their displacements from one y to another.
  virtual void displacement(const MatX& from, const MatX& to, Points& out) = 0;

  // G += the gradient f by the points at y, of the unknowns among y.
  virtual void add_gradient(const MatX& y, const Points& f, MatX& G) = 0;
  // H += J^T H_p J, J of the y that H has begun at, with the Hessian H_p by the points, of which those in `touched`
  // have entries.
  virtual void add_hessian(const SymBlockMatrix& Hp, std::span<const Index> touched, CoordinateHessian& H) = 0;
};

}  // namespace sinew
