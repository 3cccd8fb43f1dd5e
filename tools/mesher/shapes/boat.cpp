#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of length 1 along x, the bow at +x, the keel at y = 0.
struct Boat {
  double wall;

  static constexpr double deck = 0.2;  // height of the hull's rim

  // Beyond the side: straight behind the middle, two arcs that meet in the stem before it, wider towards the rim.
  static double side(const Vec3& p) {
    constexpr double half_width = 0.17, arc = 0.95, stem = 0.02;
    const double flare = 0.8 + 0.2 * smooth_step(0, deck, p.y());
    const double across = std::hypot(p.z() / flare, stem);  // rounds the stem
    return (std::hypot(std::max(p.x() - 0.02, 0.0), across + arc - half_width) - arc) * 0.85;
  }

  double hull(const Vec3& p) const {
    const double plan = round_intersection(side(p), -(p.x() + 0.46), 0.04);
    const double solid = round_intersection(plan, -p.y(), 0.07);
    const double sheer = deck + 0.05 * smooth_step(0.1, 0.5, p.x());  // the rim rises to the bow
    const double body = round_intersection(solid, p.y() - sheer, 0.4 * wall);
    const double floor = 0.4 * deck;
    const double hold = round_intersection(solid + wall, floor - p.y(), 0.03);
    return round_intersection(body, -hold, 0.4 * wall);
  }

  double operator()(const Vec3& p) const {
    const double cabin = box_distance(p - Vec3(-0.1, 0.2, 0), {0.13, 0.14, 0.1}, 0.025);
    const Vec3 q = p - Vec3(-0.13, 0.4, 0);
    const double funnel = round_intersection(std::hypot(q.x(), q.z()) - 0.05, std::abs(q.y()) - 0.1, 0.015);
    return smooth_union(smooth_union(hull(p), cabin, 0.02), funnel, 0.02);
  }
};

ShapeSolid make(const Values& values) {
  const double length = values.at("length"), wall = values.at("wall_thickness");
  if (wall > 0.08 * length)
    fail_input(code::shape_parameter, "boat: wall_thickness {:g} m must be at most 0.08 length = {:g} m", wall,
               0.08 * length);
  ShapeSolid made;
  made.solid.label = [boat = Boat{wall / length}, s = 1 / length](const Vec3& p) { return boat(s * p) < 0 ? 1 : 0; };
  made.solid.regions = {"boat"};
  made.solid.bounds = with_margin({length * Vec3(-0.47, 0, -0.2), length * Vec3(0.6, 0.51, 0.2)});
  made.solid.thickness = wall;
  set_finest_detail(made, {{1.6 * wall, "wall_thickness"}, {0.1 * length, "length"}});
  return made;
}

}  // namespace

Shape boat_shape() {
  return {"boat",
          "An open toy boat with cabin and funnel along x, the bow at +x, its keel at y = 0",
          {{"edge", "m", "edge length", {0.0145, 0.0066, 0.0045}, 1e-6, 1e3},
           {"length", "m", "from stern to bow, about", {0.3, 0.3, 0.3}, 1e-6, 1e3},
           {"wall_thickness", "m", "of the hull", {0.02, 0.014, 0.014}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
