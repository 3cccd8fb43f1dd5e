// Points of a subspace, for terms of the potential that depend only on points: contact and springs. A point set defines
// how coordinates move its points.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sinew/core/types.h"
#include "sinew/kinematics/coordinate_hessian.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/model/embedding.h"

namespace sinew {

// A point as a sparse row over the vertices of the system: the weighted sum of their positions.
using PointRow = std::vector<std::pair<Index, double>>;

// Replaces followers in the rows by the vertices with equations that they follow.
void resolve_followers(const Embedding& embedding, std::vector<PointRow>& rows);

class PointSet {
 public:
  virtual ~PointSet() = default;

  virtual Index count() const = 0;
  // The following functions write to the first columns of `out`, one for each point: the positions at y [m] ...
  virtual void positions(const MatX& y, Points& out) = 0;
  // ... the positions [m] at a time integrator's combination of several y ...
  virtual void reference(const MatX& y, Points& out) = 0;
  // ... and the displacements [m] from one y to another.
  virtual void displacement(const MatX& from, const MatX& to, Points& out) = 0;

  // G += J^T f, by the unknowns, where f is a gradient by the points at y.
  virtual void add_gradient(const MatX& y, const Points& f, MatX& G) = 0;
  // H += J^T H_p J, where H_p is the Hessian by the points and J belongs to the y of H. Only points in `touched` have
  // entries in H_p.
  virtual void add_hessian(const SymBlockMatrix& Hp, std::span<const Index> touched, CoordinateHessian& H) = 0;
};

}  // namespace sinew
