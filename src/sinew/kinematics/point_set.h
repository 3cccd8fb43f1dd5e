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
  // Each writes to the first columns of `out`, one a point: the positions at y [m], ...
  virtual void positions(const MatX& y, Points& out) = 0;
  // ... the positions at a time integrator's combination of several y, ...
  virtual void reference(const MatX& y, Points& out) = 0;
  // ... or the displacements from one y to another.
  virtual void displacement(const MatX& from, const MatX& to, Points& out) = 0;

  // G += J^T f for a gradient f by the points at y, by the unknowns.
  virtual void add_gradient(const MatX& y, const Points& f, MatX& G) = 0;
  // H += J^T H_p J with the Hessian H_p by the points, whose entries belong to those in `touched`, and J at the y of H.
  virtual void add_hessian(const SymBlockMatrix& Hp, std::span<const Index> touched, CoordinateHessian& H) = 0;
};

}  // namespace sinew
