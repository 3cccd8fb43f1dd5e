#include "sdf_limb.h"
#include "sdf_mushroom.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of height 1, looking to +x: a mushroom on two feet, with arms and a nose.
double figure(const Vec3& at, double arm) {
  const Vec3 p = mirrored(at);
  double d = mushroom_distance((p - Vec3(0, 0.08, 0)) / 0.92) * 0.92;
  const double foot = ellipsoid_distance(p - Vec3(0.06, 0.05, 0.13), {0.17, 0.08, 0.11});
  d = smooth_union(d, round_intersection(foot, -p.y(), 0.02), 0.04);
  d = smooth_union(d, capsule_distance(p, {0, 0.34, 0.16}, {0.1, 0.24, 0.4}, arm, 1.1 * arm), 0.04);
  return smooth_union(d, (p - Vec3(0.23, 0.36, 0)).norm() - 0.05, 0.02);
}

ShapeSolid make(const Values& values) {
  const double height = values.at("height"), arm = values.at("arm_radius");
  if (arm > 0.08 * height) {
    fail_input(code::shape_parameter, "mushroom: arm_radius {:g} m must be at most 0.08 height = {:g} m", arm,
               0.08 * height);
  }
  ShapeSolid made;
  made.solid.label = [arm = arm / height, s = 1 / height](const Vec3& p) { return figure(s * p, arm) < 0 ? 1 : 0; };
  made.solid.regions = {"mushroom"};
  made.solid.bounds = with_margin({height * Vec3(-0.48, 0, -0.5), height * Vec3(0.48, 1.01, 0.5)});
  made.solid.thickness = std::min(2 * arm, 0.09 * height);
  set_finest_detail(made, {{2 * arm, "arm_radius"}, {0.1 * height, "height"}});
  return made;
}

}  // namespace

Shape mushroom_shape() {
  return {"mushroom",
          "A mushroom with feet, arms and a nose that stands at y = 0 and looks to +x",
          {{"edge", "m", "edge length", {0.019, 0.0056, 0.0033}, 1e-6, 1e3},
           {"height", "m", "from the ground to the top", {0.25, 0.25, 0.25}, 1e-6, 1e3},
           {"arm_radius", "m", "of an arm", {0.016, 0.013, 0.013}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
