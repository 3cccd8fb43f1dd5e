#include <limits>
#include <memory>
#include <numbers>

#include "sdf_sweep.h"
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

// A boxing glove of width 1 whose cuff begins at x = 0, the thumb at +z, its padded back up.
struct Glove {
  Sweep mitt, curl, thumb;

  Glove() {
    mitt = Sweep({{{0.3, 0, 0}, 0.33, 1.05},
                  {{0.48, 0.04, 0}, 0.39, 1.12},
                  {{0.7, 0.08, 0}, 0.43, 1.08},
                  {{0.9, 0.04, 0}, 0.33, 1.25}},
                 4);
    curl = Sweep({{{0.92, 0.02, 0}, 0.31, 1.3}, {{0.93, -0.14, 0}, 0.27, 1.4}, {{0.78, -0.26, 0}, 0.22, 1.55}}, 3);
    thumb = Sweep({{{0.42, 0.0, 0.34}, 0.15},
                   {{0.6, 0.03, 0.46}, 0.175},
                   {{0.8, 0.02, 0.46}, 0.165},
                   {{0.96, -0.03, 0.36}, 0.13}},
                  4);
  }

  double operator()(const Vec3& p) const {
    const double r = std::hypot(p.y(), p.z());
    const double flare = 0.345 + 0.04 * smooth_step(0.2, 0.0, p.x());
    double cuff = round_intersection(r - flare, std::abs(p.x() - 0.2) - 0.2, 0.05);
    for (const double x : {0.045, 0.3})  // piping
      cuff = smooth_union(cuff, std::hypot(r - flare - 0.002, p.x() - x) - 0.026, 0.012);
    double d = smooth_union(mitt.distance(p), cuff, 0.06);
    d = smooth_union(d, curl.distance(p), 0.05);
    // The seam around the side parts the back from the palm.
    const double seam = smooth_step(0.034, 0.0, std::abs(p.y() - 0.03 + 0.2 * smooth_step(0.5, 1, p.x()))) *
                        smooth_step(0.4, 0.5, p.x());
    d += 0.02 * seam;
    return smooth_union(d, thumb.distance(p), 0.018);
  }
};

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
  made.solid.label = [=, glove = std::make_shared<Glove>()](const Vec3& p) {
    const double r = std::hypot(p.y(), p.z());
    if (p.x() > coil.length - disc && (*glove)((p - Vec3(cuff, 0, 0)) / width) < 0) return 2;
    const auto disc_at = [&](double x) { return round_intersection(r - rim, std::abs(p.x() - x) - disc, 0.5 * disc); };
    const double discs = std::min(disc_at(0), disc_at(coil.length));
    if (discs < 0) return 1;
    if (r > rim + disc || p.x() < -2 * disc || p.x() > cuff) return 0;
    return smooth_union(coil.distance(p), discs, 0.5 * disc) < 0 ? 1 : 0;
  };
  made.solid.regions = {"spring", "glove"};
  const double half = 0.68 * width;
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
