#include <memory>
#include <numbers>

#include "sdf.h"
#include "sdf_outline.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of a sole of length 1 from the heel at u = 0 to the toe at u = 1, standing at y = 0, the shaft above the heel.
struct Boot {
  OutlineField outline;
  double height, sole, groove, wall, lugs;

  static std::vector<Eigen::Vector2d> plan() {
    return closed_spline({{0, 0},
                          {0.04, 0.1},
                          {0.16, 0.14},
                          {0.34, 0.13},
                          {0.52, 0.145},
                          {0.7, 0.175},
                          {0.86, 0.15},
                          {0.97, 0.07},
                          {1, -0.02},
                          {0.95, -0.11},
                          {0.83, -0.165},
                          {0.67, -0.165},
                          {0.5, -0.125},
                          {0.34, -0.115},
                          {0.16, -0.125},
                          {0.04, -0.09}},
                         16);
  }

  // Lugs stand at y = 0, the grooves between them reach up to `groove`: bars across, cut along the middle, between a
  // front and a heel part.
  double bottom(double u, double z) const {
    const double bar = smooth_step(-0.7, 0, std::cos(2 * std::numbers::pi * lugs * u));
    const double middle = smooth_step(0.012, 0.045, std::abs(z));
    const double waist = smooth_step(0.09, 0.13, std::abs(u - 0.36));
    return groove * (1 - bar * middle * waist);
  }

  // Along the side of the sole, closed.
  template <class Height>
  static Polyline rim(double chord, Height&& height) {
    const std::vector<Eigen::Vector2d> corners = plan();
    Polyline line;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Eigen::Vector2d &a = corners[i], &b = corners[(i + 1) % corners.size()];
      const int count = chord_count((b - a).norm(), chord, 1);
      for (int k = 0; k < count; ++k) {
        const Eigen::Vector2d p = a + static_cast<double>(k) / count * (b - a);
        line.emplace_back(p.x(), height(p.x(), p.y()), p.y());
      }
    }
    line.push_back(line.front());
    return line;
  }

  // Foot and shaft without an upper end.
  double upper(const Vec3& p) const {
    const double instep = 0.3 - 0.12 * smooth_step(0.3, 0.8, p.x());
    const double side = outline(p.x(), p.z()) + 0.02 + 0.12 * std::max(p.y() - sole - 0.08, 0.0);
    const double foot = round_intersection(side, p.y() - sole - instep, 0.12);
    const double widen = 1 + 0.25 * smooth_step(0.5, 1, p.y() / height);
    const double r = std::hypot((p.x() - 0.19) / 1.25, p.z());
    return smooth_union(foot, std::max(r - 0.115 * widen, sole - p.y()), 0.15);
  }

  bool inside(const Vec3& p) const {
    if (p.y() <= 0 || p.y() >= height) return false;
    if (p.y() < sole) {
      const double side = outline(p.x(), p.z());
      return side < 0 && p.y() > bottom(p.x(), p.z());
    }
    const double skin = upper(p), rim = 0.4 * wall;
    const double body = round_intersection(skin, p.y() - height, rim);
    if (body >= 0) return false;
    const double cavity = round_intersection(skin + wall, sole + wall - p.y(), 0.5 * wall);
    return round_intersection(body, -cavity, rim) < 0;
  }
};

ShapeSolid make(const Values& values) {
  const double length = values.at("length"), height = values.at("height"), sole = values.at("sole_thickness");
  const double groove = values.at("groove_depth"), wall = values.at("wall_thickness"), lugs = values.at("lugs");
  const auto at_most = [&](const char* name, double part) {
    if (values.at(name) > part * length) {
      fail_input(code::shape_parameter, "boot: {} {:g} m must be at most {:g} length = {:g} m", name, values.at(name),
                 part, part * length);
    }
  };
  at_most("sole_thickness", 0.2);
  at_most("wall_thickness", 0.06);
  if (groove >= 0.8 * sole) {
    fail_input(code::shape_parameter, "boot: groove_depth {:g} m must be less than 0.8 sole_thickness = {:g} m", groove,
               0.8 * sole);
  }
  if (height < sole + 0.5 * length) {
    fail_input(code::shape_parameter, "boot: height {:g} m must be at least sole_thickness + 0.5 length = {:g} m",
               height, sole + 0.5 * length);
  }
  auto boot = std::make_shared<Boot>(Boot{OutlineField(Boot::plan(), 1.0 / 500, 0.06), height / length, sole / length,
                                          groove / length, wall / length, lugs});
  ShapeSolid made;
  made.solid.label = [boot, s = 1 / length](const Vec3& p) { return boot->inside(s * p + Vec3(0.5, 0, 0)) ? 1 : 0; };
  made.solid.regions = {"boot"};
  const double chord = 0.25 * values.at("edge") / length;
  made.solid.features.push_back(boot->rim(chord, [&](double, double) { return boot->sole; }));
  made.solid.features.push_back(boot->rim(chord, [&](double u, double z) { return boot->bottom(u, z); }));
  for (Polyline& line : made.solid.features) {
    for (Vec3& p : line) p = length * (p - Vec3(0.5, 0, 0));
  }
  made.solid.bounds = with_margin({Vec3(-0.52 * length, 0, -0.2 * length), Vec3(0.52 * length, height, 0.2 * length)});
  made.solid.thickness = std::min({wall, sole - groove, 0.4 * length / lugs});
  set_finest_detail(
      made, {{1.5 * wall, "wall_thickness"}, {1.6 * (sole - groove), "groove_depth"}, {0.8 * length / lugs, "lugs"}});
  return made;
}

}  // namespace

Shape boot_shape() {
  return {"boot",
          "A hollow rubber boot along x, the toe at +x, whose treaded sole stands at y = 0",
          {{"edge", "m", "edge length", {0.019, 0.0058, 0.0022}, 1e-6, 1e3},
           {"length", "m", "of the sole", {0.3, 0.3, 0.3}, 1e-6, 1e3},
           {"height", "m", "of the shaft's rim", {0.32, 0.32, 0.32}, 1e-6, 1e3},
           {"sole_thickness", "m", "with the tread", {0.028, 0.024, 0.024}, 1e-6, 1e3},
           {"groove_depth", "m", "of the tread", {0.012, 0.012, 0.012}, 0, 1e3},
           {"wall_thickness", "m", "of foot and shaft", {0.014, 0.01, 0.01}, 1e-6, 1e3},
           {"lugs", "", "bars of the tread over the length", {5, 9, 10}, 1, 100, true}},
          make};
}

}  // namespace sinew::mesher
