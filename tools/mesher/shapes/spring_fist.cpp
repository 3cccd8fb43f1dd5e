#include <limits>
#include <numbers>

#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

struct Coil {
  double length, radius, wire, turns;

  double pitch() const { return length / turns; }

  // From the helix around x whose middle line runs from (0, radius, 0) through `turns` turns to x = length.
  double distance(const Vec3& p) const {
    const double turn = std::atan2(p.z(), p.y()) / (2 * std::numbers::pi);
    const double slope = pitch() / (2 * std::numbers::pi * radius);
    const double nearest = std::round(p.x() / pitch() - turn);
    double least = std::numeric_limits<double>::max();
    for (int k = -1; k <= 1; ++k) {
      const double t = turn + nearest + k;
      if (t >= 0 && t <= turns) {
        const double across = (p.x() - t * pitch()) / std::sqrt(1 + slope * slope);
        least = std::min(least, std::hypot(std::hypot(p.y(), p.z()) - radius, across));
      }
    }
    for (const double t : {0.0, turns}) {
      const double angle = 2 * std::numbers::pi * t;
      least = std::min(least, (p - Vec3(t * pitch(), radius * std::cos(angle), radius * std::sin(angle))).norm());
    }
    return least - wire;
  }
};

// A boxing glove of width 1 whose cuff begins at x = 0, the thumb at +z.
double unit_glove(const Vec3& p) {
  const double r = std::hypot(p.y(), p.z());
  const double cuff = round_intersection(r - 0.36, std::abs(p.x() - 0.2) - 0.2, 0.06);
  double d = ellipsoid_distance(p - Vec3(0.72, 0.02, 0), {0.5, 0.5, 0.46});
  d = smooth_union(d, ellipsoid_distance(p - Vec3(0.82, -0.12, -0.02), {0.42, 0.38, 0.42}), 0.1);
  d = smooth_union(d, cuff, 0.14);
  const double thumb = capsule_distance(p, {0.5, 0.12, 0.38}, {0.92, 0.16, 0.44}, 0.17, 0.15);
  return smooth_union(d, thumb, 0.06);
}

ShapeSolid make(const Values& values) {
  const Coil coil{values.at("spring_length"), values.at("coil_radius"), values.at("wire_radius"), values.at("turns")};
  const double width = values.at("glove_width");
  if (2.6 * coil.wire > coil.pitch()) {
    fail_input(code::shape_parameter,
               "spring_fist: {:g} turns of wire_radius {:g} m leave no gaps in spring_length {:g} m", coil.turns,
               coil.wire, coil.length);
  }
  if (coil.radius < 1.5 * coil.wire) {
    fail_input(code::shape_parameter, "spring_fist: coil_radius {:g} m must be at least 1.5 wire_radius = {:g} m",
               coil.radius, 1.5 * coil.wire);
  }
  if (coil.radius + coil.wire > 0.5 * width) {
    fail_input(code::shape_parameter,
               "spring_fist: glove_width {:g} m must be at least twice coil_radius + wire_radius = {:g} m", width,
               2 * (coil.radius + coil.wire));
  }
  const double disc = coil.wire, rim = coil.radius + coil.wire;  // half the thickness of the end discs, their radius
  const double cuff = coil.length + 0.6 * disc;
  ShapeSolid made;
  made.solid.label = [=](const Vec3& p) {
    const double r = std::hypot(p.y(), p.z());
    if (p.x() > coil.length - disc && unit_glove((p - Vec3(cuff, 0, 0)) / width) < 0) return 2;
    const auto disc_at = [&](double x) { return round_intersection(r - rim, std::abs(p.x() - x) - disc, 0.5 * disc); };
    const double discs = std::min(disc_at(0), disc_at(coil.length));
    if (discs < 0) return 1;
    if (r > rim + disc || p.x() < -2 * disc || p.x() > cuff) return 0;
    return smooth_union(coil.distance(p), discs, 0.5 * disc) < 0 ? 1 : 0;
  };
  made.solid.regions = {"spring", "glove"};
  const double half = 0.65 * width;
  made.solid.bounds = with_margin({Vec3(-disc, -half, -half), Vec3(cuff + 1.3 * width, half, half)});
  made.solid.thickness = std::min(2 * coil.wire, coil.pitch() - 2 * coil.wire);
  set_finest_detail(
      made,
      {{1.6 * coil.wire, "wire_radius"}, {2 * (coil.pitch() - 2 * coil.wire), "turns"}, {0.3 * width, "glove_width"}});
  return made;
}

}  // namespace

Shape spring_fist_shape() {
  return {"spring_fist",
          "A boxing glove on a coil spring along x, whose end disc lies at x = 0 (regions spring, glove)",
          {{"edge", "m", "edge length", {0.018, 0.0056, 0.003}, 1e-6, 1e3},
           {"spring_length", "m", "between the middles of its end discs", {0.3, 0.3, 0.3}, 1e-6, 1e3},
           {"coil_radius", "m", "of the middle line of the wire", {0.04, 0.04, 0.04}, 1e-6, 1e3},
           {"wire_radius", "m", "of the wire", {0.012, 0.012, 0.012}, 1e-6, 1e3},
           {"turns", "", "of the spring", {5, 5, 5}, 1, 200},
           {"glove_width", "m", "of the glove, about", {0.16, 0.16, 0.16}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
