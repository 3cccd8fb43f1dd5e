#include "sdf.h"
#include "sdf_limb.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

namespace sinew::mesher {
namespace {

// Of height 1, looking to +x, on a neck that stands at y = 0.
double unit_head(const Vec3& at) {
  const Vec3 p = mirrored(at);
  double d = ellipsoid_distance(p - Vec3(-0.03, 0.66, 0), {0.34, 0.34, 0.28});  // the skull
  d = smooth_union(d, ellipsoid_distance(p - Vec3(0.1, 0.46, 0), {0.21, 0.22, 0.2}), 0.1);
  d = smooth_union(d, ellipsoid_distance(p - Vec3(0.21, 0.3, 0), {0.09, 0.07, 0.09}), 0.08);  // the chin
  d = smooth_union(d, capsule_distance(p, {-0.06, 0.02, 0}, {-0.06, 0.4, 0}, 0.2, 0.16), 0.1);
  d = smooth_union(d, capsule_distance(p, {0.27, 0.68, 0.05}, {0.26, 0.7, 0.17}, 0.045, 0.03), 0.05);  // the brows
  d = smooth_union(d, capsule_distance(p, {0.28, 0.62, 0}, {0.35, 0.51, 0}, 0.035, 0.06), 0.04);       // the nose
  d = smooth_union(d, ellipsoid_distance(p - Vec3(0.28, 0.385, 0), {0.05, 0.025, 0.08}), 0.02);        // the lips
  d = smooth_intersection(d, 0.055 - (p - Vec3(0.33, 0.615, 0.12)).norm(), 0.05);                      // the eyes
  const Vec3 ear = p - Vec3(-0.03, 0.58, 0.29);
  d = smooth_union(d, ellipsoid_distance(ear, {0.07, 0.11, 0.045}), 0.03);
  return round_intersection(d, -p.y(), 0.02);
}

ShapeSolid make(const Values& values) {
  const double height = values.at("height");
  ShapeSolid made;
  made.solid.label = [s = 1 / height](const Vec3& p) { return unit_head(s * p) < 0 ? 1 : 0; };
  made.solid.regions = {"head"};
  made.solid.bounds = with_margin({height * Vec3(-0.4, 0, -0.36), height * Vec3(0.45, 1.02, 0.36)});
  made.solid.thickness = 0.07 * height;
  made.finest_detail = 0.12 * height;
  made.detail_parameter = "height";
  return made;
}

}  // namespace

Shape head_shape() {
  return {"head",
          "A human head that looks to +x, on a neck that stands at y = 0",
          {{"edge", "m", "edge length", {0.022, 0.0071, 0.0032}, 1e-6, 1e3},
           {"height", "m", "from the foot of the neck to the crown", {0.3, 0.3, 0.3}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
