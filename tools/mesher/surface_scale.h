// Surfaces moved to the origin and scaled to a size near one, where lengths far from one metre do no harm.
#pragma once

#include <vector>

#include "surface_input.h"

#include "sinew/core/types.h"

namespace sinew::mesher {

struct Placement {
  Vec3 centre = Vec3::Zero();  // [m]
  double scale = 1;            // a power of two: scaled coordinates lose no digit [m]

  Vec3 to_unit(const Vec3& p) const { return (p - centre) / scale; }
  Vec3 from_unit(const Vec3& p) const { return scale * p + centre; }
};

Eigen::AlignedBox3d bounds_of(const std::vector<InputSurface>& surfaces);
Placement placement_of(const Eigen::AlignedBox3d& bounds);

void to_unit(Points& points, const Placement& placement);
void from_unit(Points& points, const Placement& placement);

}  // namespace sinew::mesher
