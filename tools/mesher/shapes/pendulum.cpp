#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of length 1, from the grip at y = 1 down to y = 0. The lower weight has two arms, so that one sees it turn.
double unit_pendulum(const Vec3& p, double rod) {
  const double grip = (p - Vec3(0, 0.94, 0)).norm() - 0.06;
  const double upper = ellipsoid_distance(p - Vec3(0, 0.64, 0), {0.1, 0.085, 0.1});
  const double lower = ellipsoid_distance(p - Vec3(0, 0.16, 0), {0.17, 0.16, 0.15});
  const Vec3 side(std::abs(p.x()), p.y(), p.z());
  const double arm = capsule_distance(side, {0.1, 0.16, 0}, {0.3, 0.18, 0}, 1.2 * rod, 1.2 * rod);
  const double end = (side - Vec3(0.31, 0.18, 0)).norm() - 0.065;
  double d = capsule_distance(p, {0, 0.16, 0}, {0, 0.94, 0}, rod, rod);
  d = smooth_union(d, std::min({grip, upper, lower}), 0.03);
  return smooth_union(d, smooth_union(arm, end, 0.02), 0.02);
}

ShapeSolid make(const Values& values) {
  const double length = values.at("length"), rod = values.at("rod_radius");
  if (rod > 0.045 * length)
    fail_input(code::shape_parameter, "pendulum: rod_radius {:g} m must be at most 0.045 length = {:g} m", rod,
               0.045 * length);
  ShapeSolid made;
  made.solid.label = [r = rod / length, s = 1 / length](const Vec3& p) { return unit_pendulum(s * p, r) < 0 ? 1 : 0; };
  made.solid.regions = {"pendulum"};
  made.solid.bounds = with_margin({length * Vec3(-0.375, 0, -0.17), length * Vec3(0.375, 1, 0.17)});
  made.solid.thickness = 2 * rod;
  made.finest_detail = std::min(2 * rod, 0.08 * length);
  made.detail_parameter = "rod_radius";
  return made;
}

}  // namespace

Shape pendulum_shape() {
  return {"pendulum",
          "Weights on a slender rod along y, from y = 0 to the grip at y = length, the lower one with two arms",
          {{"edge", "m", "edge length", {0.03, 0.0082, 0.006}, 1e-6, 1e3},
           {"length", "m", "extent along y", {1, 1, 1}, 1e-6, 1e3},
           {"rod_radius", "m", "of the rod", {0.024, 0.02, 0.02}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
