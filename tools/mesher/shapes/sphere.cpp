#include "shapes/features.h"
#include "shapes/shapes.h"

namespace sinew::mesher {
namespace {

ShapeSolid make(const Values& values) {
  const double radius = values.at("radius");
  ShapeSolid made;
  made.solid.label = [r2 = radius * radius](const Vec3& p) { return p.squaredNorm() < r2 ? 1 : 0; };
  made.solid.regions = {"sphere"};
  made.solid.bounds = with_margin(centred_box(Vec3::Constant(2 * radius)));
  made.solid.thickness = 2 * radius;
  made.finest_detail = radius;
  made.detail_parameter = "radius";
  return made;
}

}  // namespace

Shape sphere_shape() {
  return {"sphere",
          "A ball centred at the origin",
          {{"edge", "m", "edge length", {0.0165, 0.0045, 0.0034}, 1e-6, 1e3},
           {"radius", "m", "radius", {0.1, 0.1, 0.1}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
