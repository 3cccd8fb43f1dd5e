#include "surface_scale.h"

#include <cmath>

namespace sinew::mesher {

Eigen::AlignedBox3d bounds_of(const std::vector<InputSurface>& surfaces) {
  Eigen::AlignedBox3d box;
  for (const InputSurface& surface : surfaces) {
    box.extend(Vec3(surface.mesh.vertices.rowwise().minCoeff()));
    box.extend(Vec3(surface.mesh.vertices.rowwise().maxCoeff()));
  }
  return box;
}

Placement placement_of(const Eigen::AlignedBox3d& bounds) {
  return {bounds.center(), std::exp2(std::round(std::log2(bounds.diagonal().norm())))};
}

void to_unit(Points& points, const Placement& placement) {
  points = (points.colwise() - placement.centre) / placement.scale;
}

void from_unit(Points& points, const Placement& placement) {
  points = (points * placement.scale).colwise() + placement.centre;
}

}  // namespace sinew::mesher
