#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// A solid of revolution around y. A round cone in the half plane (r, y): circles whose radii shrink linearly from the
// foot to the tip, joined by their common tangent.
ShapeSolid make(const Values& values) {
  const double foot = values.at("cone_radius"), tip = values.at("tip_radius"), height = values.at("height");
  const double base_radius = values.at("base_radius"), base = values.at("base_height");
  if (tip >= foot)
    fail_input(code::shape_parameter, "spike: tip_radius {:g} m must be less than cone_radius {:g} m", tip, foot);
  if (foot >= base_radius)
    fail_input(code::shape_parameter, "spike: cone_radius {:g} m must be less than base_radius {:g} m", foot,
               base_radius);
  if (height <= base + foot)
    fail_input(code::shape_parameter, "spike: height {:g} m must exceed base_height + cone_radius", height);
  const double length = height - base - tip;   // between the centres of the circles
  const double slope = (foot - tip) / length;  // sine of half the opening angle
  const double along = std::sqrt(1 - slope * slope);
  const double fillet = 0.5 * foot, edge_radius = 0.4 * base;
  ShapeSolid made;
  made.solid.label = [=](const Vec3& p) {
    const double r = std::hypot(p.x(), p.z());
    const double plate = round_intersection(r - base_radius, std::abs(p.y() - 0.5 * base) - 0.5 * base, edge_radius);
    const double y = p.y() - base;
    const double t = std::clamp(y - slope / along * r, 0.0, length);
    const double cone = std::hypot(r, y - t) - (foot + (tip - foot) * t / length);
    return smooth_union(plate, std::max(cone, -p.y()), fillet) < 0 ? 1 : 0;
  };
  made.solid.regions = {"spike"};
  made.solid.bounds = with_margin({Vec3(-base_radius, 0, -base_radius), Vec3(base_radius, height, base_radius)}, 0.05);
  made.solid.thickness = 2 * tip;
  made.finest_detail = 3 * tip;
  made.detail_parameter = "tip_radius";
  return made;
}

}  // namespace

Shape spike_shape() {
  return {"spike",
          "A cone with a rounded tip on a round base plate whose bottom lies at y = 0",
          {{"edge", "m", "edge length", {0.014, 0.005, 0.0033}, 1e-6, 1e3},
           {"height", "m", "of the tip above the bottom", {0.15, 0.15, 0.15}, 1e-6, 1e3},
           {"cone_radius", "m", "of the cone at its foot", {0.03, 0.03, 0.03}, 1e-6, 1e3},
           {"tip_radius", "m", "of the rounded tip", {0.006, 0.004, 0.004}, 1e-6, 1e3},
           {"base_radius", "m", "of the base plate", {0.08, 0.08, 0.08}, 1e-6, 1e3},
           {"base_height", "m", "of the base plate", {0.025, 0.025, 0.025}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
