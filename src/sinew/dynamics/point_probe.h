// Follows points, which are weighted sums of vertices, from step to step. A probe of a subspace reads the coordinates
// of the subspace, so its cost does not depend on the mesh.
#pragma once

#include <memory>
#include <vector>

#include "sinew/kinematics/point_set.h"
#include "sinew/reduced/reduced_potential.h"

namespace sinew {

class PointProbe {
 public:
  virtual ~PointProbe() = default;

  // Sets `out` (3 x rows) to the points at q, the positions of a state as the method stores them (State::x) [m].
  virtual void positions(const Points& q, Points& out) = 0;
};

// Makes a probe of rows over the vertices of the system. In full space q contains the vertices themselves.
std::unique_ptr<PointProbe> make_vertex_probe(std::vector<PointRow> rows);

// Makes a probe of a subspace, valid as long as `potential` is.
std::unique_ptr<PointProbe> make_subspace_probe(const ReducedPotential& potential, std::vector<PointRow> rows);

}  // namespace sinew
