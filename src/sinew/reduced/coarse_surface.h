// A coarse collision mesh for contact of reduced simulations, whose vertices are samples of the bodies' surfaces.
#pragma once

#include <vector>

#include "sinew/kinematics/point_set.h"
#include "sinew/model/system.h"

namespace sinew {

struct CoarseSurface {
  // Vertices [0, samples) are the samples, then come the obstacles' vertices, whose surfaces are whole. A body may
  // touch itself only if all vertices of its surface are samples.
  CollisionMesh mesh;
  std::vector<Index> vertex;  // of the system, of each vertex of the mesh
  Index sample_count = 0;

  bool may_touch() const;              // whether anything may
  std::vector<PointRow> rows() const;  // of the samples
};

// Whether two owners of the system may touch at all.
bool may_touch_others(const System& system);

// `samples` (0: automatic) are shared out over the bodies by area, four each at least, and spread by farthest points.
// A surface vertex belongs to the cell of the sample nearest along edges. A triangle whose corners belong to three
// cells makes a triangle of the coarse surface (the dual of the cells). A sample has the area of its cell. A body with
// a sample for each vertex of its surface keeps that surface. O(n log n).
CoarseSurface make_coarse_surface(const System& system, Index samples);

// The collision mesh of the system, with all vertices of bodies as samples.
CoarseSurface whole_surface(const System& system);

inline constexpr Index automatic_samples = 300;

}  // namespace sinew
