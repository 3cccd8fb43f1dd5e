#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

namespace sinew::mesher {
namespace {

// Proportions of a London pattern anvil of length 1 along x, standing at y = 0: the horn at +x, the heel at -x.
double unit_anvil(const Vec3& p) {
  const double foot = box_distance(p - Vec3(-0.06, 0.06, 0), {0.25, 0.06, 0.15}, 0.02);
  const double taper = 1 - 0.35 * smooth_step(0.05, 0.28, p.y());
  const double waist =
      box_distance(Vec3((p.x() + 0.06) / taper, p.y() - 0.22, p.z() / taper), {0.17, 0.14, 0.11}, 0.03) * 0.7;
  const double body = box_distance(p - Vec3(-0.15, 0.385, 0), {0.35, 0.075, 0.085}, 0.012);
  // The step before the horn, lower than the face, and the horn: a cone whose top stays nearly level.
  const double step = box_distance(p - Vec3(0.2, 0.36, 0), {0.045, 0.06, 0.08}, 0.012);
  const double s = std::clamp((p.x() - 0.21) / 0.275, 0.0, 1.0);
  const double r = 0.075 * std::pow(1 - s, 0.75) + 0.014;
  const Vec3 from_axis(p.x() - (0.21 + 0.275 * s), p.y() - (0.43 - r), p.z());
  const double horn = (from_axis.norm() - r) * 0.8;
  // The heel is undercut.
  const double under = (-(p.y() - 0.31) - 0.45 * (p.x() + 0.3)) * 0.9;
  double d = smooth_union(foot, waist, 0.1);
  d = smooth_union(d, smooth_intersection(body, under, 0.02), 0.08);
  d = smooth_union(d, step, 0.03);
  return smooth_union(d, horn, 0.02);
}

ShapeSolid make(const Values& values) {
  const double length = values.at("length");
  ShapeSolid made;
  made.solid.label = [s = 1 / length](const Vec3& p) { return unit_anvil(s * p) < 0 ? 1 : 0; };
  made.solid.regions = {"anvil"};
  made.solid.bounds = with_margin({length * Vec3(-0.52, 0, -0.2), length * Vec3(0.52, 0.47, 0.2)}, 0.03);
  made.solid.thickness = 0.05 * length;
  made.finest_detail = 0.1 * length;
  made.detail_parameter = "length";
  return made;
}

}  // namespace

Shape anvil_shape() {
  return {"anvil",
          "An anvil with horn, heel, waist and foot, along x, standing at y = 0",
          {{"edge", "m", "edge length", {0.016, 0.0043, 0.0029}, 1e-6, 1e3},
           {"length", "m", "from the heel to the tip of the horn", {0.25, 0.25, 0.25}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
