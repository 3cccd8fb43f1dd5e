// A coarse collision mesh for contact of reduced simulations. Its vertices are samples of the bodies' surfaces.
#pragma once

#include <vector>

#include "sinew/kinematics/point_set.h"
#include "sinew/model/system.h"

namespace sinew {

struct CoarseSurface {
  // Vertices [0, sample_count) are the samples; the obstacles' vertices follow, with complete surfaces. A body may
  // touch itself only if all vertices of its surface are samples.
  CollisionMesh mesh;
  std::vector<Index> vertex;  // by vertex of the mesh: its vertex in the system
  Index sample_count = 0;

  bool may_touch() const;              // whether anything may touch
  std::vector<PointRow> rows() const;  // by sample
};

// Whether two different owners of the system may touch.
bool may_touch_others(const System& system);

// Makes a coarse surface with `samples` samples (0: automatic). Each body gets a share by area, at least four samples,
// spread by farthest-point sampling. A surface vertex belongs to the cell of the sample that is nearest along edges. A
// triangle with corners in three cells gives a triangle of the coarse surface (the dual of the cells). A sample has the
// area of its cell. A body with as many samples as surface vertices keeps its surface. O(n log n).
CoarseSurface make_coarse_surface(const System& system, Index samples);

// Returns the system's own collision mesh, with all surface vertices of bodies as samples.
CoarseSurface whole_surface(const System& system);

inline constexpr Index automatic_samples = 300;

}  // namespace sinew
