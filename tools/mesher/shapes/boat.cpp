#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of length 1 along x, the bow at +x, the keel at y = 0.
struct Boat {
  double wall;
  bool fine;

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
    double hold = round_intersection(solid + wall, floor - p.y(), 0.03);
    if (fine) hold = round_intersection(hold, p.x() - 0.24, 0.03);  // a deck before it
    return round_intersection(body, -hold, 0.4 * wall);
  }

  // A rail around the rim, a rubbing strake below it, a cabin with windows and a roof, a funnel with a band, a mast.
  double operator()(const Vec3& p) const {
    const double sheer = deck + 0.05 * smooth_step(0.1, 0.5, p.x());
    const double plan = round_intersection(side(p), -(p.x() + 0.46), 0.04);
    double d = hull(p);
    const double rail =
        std::hypot(std::max(std::abs(plan + 0.2 * wall) - 0.2 * wall, 0.0), p.y() - sheer) - 0.42 * wall;
    d = smooth_union(d, rail, 0.012);
    if (fine) d = smooth_union(d, std::hypot(plan, p.y() - sheer + 0.07) - 0.014, 0.012);
    const double z = std::abs(p.z());
    double cabin = box_distance(p - Vec3(-0.1, 0.2, 0), {0.13, 0.14, 0.1}, 0.02);
    if (fine) {
      for (const double x : {-0.19, -0.115, -0.04})
        cabin = smooth_intersection(cabin, 0.029 - std::hypot(p.x() - x, p.y() - 0.275, 1.6 * (z - 0.1)), 0.008);
      cabin = smooth_intersection(
          cabin, -box_distance({p.x() - 0.03, p.y() - 0.28, z - 0.045}, {0.012, 0.028, 0.028}, 0.01), 0.008);
      cabin = std::min(cabin, box_distance(p - Vec3(-0.095, 0.345, 0), {0.155, 0.016, 0.12}, 0.012));
    }
    const Vec3 q = p - Vec3(-0.13, 0.4, 0);
    const double r = std::hypot(q.x(), q.z());
    double funnel =
        round_intersection(r - 0.05 + 0.06 * (q.y() + 0.1) * (fine ? 0.5 : 0.0), std::abs(q.y()) - 0.1, 0.015);
    if (fine) {
      funnel = smooth_union(funnel, torus_distance(q - Vec3(0, 0.082, 0), 0.046, 0.014), 0.006);
      funnel = smooth_union(funnel, torus_distance(q - Vec3(0, 0.02, 0), 0.045, 0.011), 0.006);
      funnel = smooth_intersection(funnel, -round_intersection(r - 0.026, 0.04 - q.y(), 0.008), 0.006);
    }
    d = smooth_union(smooth_union(d, cabin, 0.02), funnel, 0.02);
    if (!fine) return d;
    const double shell = round_intersection(plan, -p.y(), 0.07);
    for (const double x : {-0.3, 0.12, 0.26})  // portholes
      d = smooth_union(d, std::hypot(std::hypot(p.x() - x, p.y() - 0.09) - 0.025, std::abs(shell)) - 0.011, 0.006);
    d = smooth_union(d, capsule_distance(p, {0.33, 0.18, 0}, {0.33, 0.27, 0}, 0.027, 0.025), 0.02);  // a bollard
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.33, 0.28, 0), {0.042, 0.02, 0.042}), 0.012);
    return d;
  }
};

ShapeSolid make(const Values& values) {
  const double length = values.at("length"), wall = values.at("wall_thickness");
  if (wall > 0.08 * length)
    fail_input(code::shape_parameter, "boat: wall_thickness {:g} m must be at most 0.08 length = {:g} m", wall,
               0.08 * length);
  ShapeSolid made;
  made.solid.label = [boat = Boat{wall / length, values.at("details") != 0}, s = 1 / length](const Vec3& p) {
    return boat(s * p) < 0 ? 1 : 0;
  };
  made.solid.regions = {"boat"};
  made.solid.bounds = with_margin({length * Vec3(-0.49, 0, -0.21), length * Vec3(0.62, 0.52, 0.21)});
  made.solid.thickness = wall;
  set_finest_detail(made, {{1.6 * wall, "wall_thickness"}, {0.1 * length, "length"}});
  return made;
}

}  // namespace

Shape boat_shape() {
  return {"boat",
          "An open toy boat with cabin and funnel along x, the bow at +x, its keel at y = 0",
          {{"edge", "m", "edge length", {0.0145, 0.0054, 0.0049}, 1e-6, 1e3},
           {"length", "m", "from stern to bow, about", {0.3, 0.3, 0.3}, 1e-6, 1e3},
           {"wall_thickness", "m", "of the hull", {0.02, 0.014, 0.014}, 1e-6, 1e3},
           {"details", "", "1: with windows, portholes, roof, strake and bollard; 0: without", {0, 1, 1}, 0, 1, true}},
          make};
}

}  // namespace sinew::mesher
