// A solid with labelled regions, given by a function of the point: what the shapes make and mesh_solid() meshes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinew/core/types.h"

namespace sinew::mesher {

// A sharp edge, of the boundary or where an interface meets it; closed when its first point is its last.
using Polyline = std::vector<Vec3>;

struct Solid {
  std::function<int(const Vec3&)> label;       // 0 outside, r in regions[r - 1]
  std::vector<std::string> regions;            // names
  Eigen::AlignedBox3d bounds;                  // holds the solid and some of the outside [m]
  std::vector<Polyline> features;              // kept in the mesh; two meet at their end points only
  double thickness = 0;                        // of the thinnest part, or of the thinnest gap if that is less [m]
  std::function<double(const Vec3&)> grading;  // factor on the edge length at a point; none: 1
};

}  // namespace sinew::mesher
