#include <memory>
#include <numbers>

#include "sdf_limb.h"
#include "sdf_outline.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

enum Region { outside = 0, upper_region = 1, trim_region = 2 };

// A laced boot whose sole has length 1, from the heel at u = 0 to the toe at u = 1, standing at y = 0.
struct Boot {
  OutlineField outline;
  double height, sole, groove, wall, lugs, lace;  // lace: radius, or 0 for none
  std::vector<Limb> laces = {};

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
  // front and a heel part. Between these the waist is higher.
  double bottom(double u, double z) const {
    const double bar = smooth_step(-0.7, 0, std::cos(2 * std::numbers::pi * lugs * u));
    const double middle = smooth_step(0.012, 0.045, std::abs(z));
    const double waist = smooth_step(0.05, 0.085, std::abs(u - 0.36));
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

  // Of the instep over the sole: a full toe cap, a dip behind it, and up to the shaft.
  static double instep(double u) {
    return 0.19 + 0.16 * smooth_step(0.74, 0.36, u) + 0.02 * std::exp(-std::pow((u - 0.86) / 0.09, 2));
  }

  // Narrow at the ankle, wider at the calf, leaning a little to the front.
  double shaft(const Vec3& p) const {
    const double t = (p.y() - sole) / (height - sole);
    const double ankle = smooth_step(0.1, 0.42, t), calf = smooth_step(0.5, 1, t);
    const double across = 0.125 - 0.018 * ankle + 0.035 * calf, along = 0.18 - 0.03 * ankle + 0.022 * calf;
    const double x = p.x() - (0.222 - 0.012 * ankle + 0.02 * calf);
    return (std::hypot(x / along, p.z() / across) - 1) * across * 0.92;
  }

  // Foot and shaft without an upper end, without seams.
  double bare(const Vec3& p) const {
    const double side = outline(p.x(), p.z()) + 0.03 + 0.13 * std::max(p.y() - sole - 0.08, 0.0);
    const double foot = round_intersection(side, p.y() - sole - instep(p.x()), 0.13);
    return smooth_union(foot, std::max(shaft(p), sole - p.y()), 0.14);
  }

  // Where the laces run: the place at s from 0 (on the instep) to 1 (near the rim) and beside the middle, on the skin.
  Vec3 front(double s, double beside) const {
    const Vec3 from = Vec3(0.44, sole + 0.1, 0) + s * Vec3(-0.24, height - sole - 0.16, 0);
    const double turn = 0.95 * smooth_step(0.0, 0.55, s);
    const Vec3 out(0.45 + 0.55 * std::sin(turn), std::cos(turn) * 0.9, 0);
    const Vec3 start = from + Vec3(0, 0, beside), direction = out.normalized();
    double in = 0, far = 0.6;
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (in + far);
      (bare(start + middle * direction) < 0 ? in : far) = middle;
    }
    return start + in * direction;
  }
  static constexpr double beside = 0.052;  // of the eyelets

  void lace_up(int rungs) {
    if (lace <= 0) return;
    for (int i = 0; i < rungs; ++i) {
      const double low = (i + 0.35) / (rungs + 0.4), high = (i + 1.35) / (rungs + 0.4);
      for (const double way : {-1.0, 1.0}) {
        Limb& part = laces.emplace_back();
        for (int k = 0; k <= 6; ++k) {
          const double t = k / 6.0;
          part.points.push_back(front(low + t * (high - low), way * beside * (2 * t - 1)));
          part.radii.push_back(lace);
        }
      }
    }
  }
  // To ridges along the laces, which lie on the skin at the distance `skin`: no gap below them.
  double lacing(const Vec3& p, double skin) const {
    if (p.x() < 0.2 || std::abs(p.z()) > 0.12 || std::abs(skin) > 0.1) return 1;
    double near = 1;
    for (const Limb& part : laces) near = std::min(near, part.distance(p) + lace);
    const double aside = std::sqrt(std::max(0.0, near * near - skin * skin));
    return round_intersection(aside - lace, skin - seam() - 1.2 * lace, 0.9 * lace);
  }

  double seam() const { return lace > 0 ? 0.011 : 0; }

  // With what is sewn on: toe cap, heel, two stays for the laces, a padded collar and a loop behind.
  double upper(const Vec3& p, double d) const {
    if (lace <= 0 || std::abs(d) > 0.08) return d;
    const double high = p.y() - sole;
    const auto step = [](double x) { return smooth_step(-0.009, 0.009, x); };
    const double cap = step(p.x() - 0.735 + 0.5 * p.z() * p.z());
    const double heel = step(0.115 - p.x() + 0.12 * smooth_step(0.34, 0.0, high)) * step(0.36 - high);
    const double in_front = step(p.x() - 0.24) * step(0.6 - p.x()) * step(high - 0.2);
    const double width = std::abs(p.z());
    const double stay = step(width - 0.03) * step(0.088 - width) * in_front;
    const double collar = std::exp(-std::pow((p.y() - height + 0.045) / 0.03, 2));
    const double gap = step(0.03 - width) * in_front;
    d -= seam() * std::max({cap, heel, stay}) - 0.6 * seam() * gap;
    return d - 0.014 * collar;
  }

  Region label(const Vec3& p) const {
    if (p.y() <= 0 || p.y() >= height) return outside;
    if (p.y() < sole) {
      const double side = outline(p.x(), p.z()) + 0.016 * smooth_step(0.3, 0.65, p.y() / sole) *
                                                      smooth_step(0.98, 0.75, p.y() / sole);  // a groove below the welt
      return side < 0 && p.y() > bottom(p.x(), p.z()) ? trim_region : outside;
    }
    const double under = bare(p), skin = upper(p, under), rim = 0.4 * wall;
    const bool laced = lacing(p, under) < 0;
    const double body = round_intersection(skin, p.y() - height, rim);
    if (body >= 0) return laced ? trim_region : outside;
    const double cavity = round_intersection(under + wall, sole + wall - p.y(), 0.5 * wall);
    if (round_intersection(body, -cavity, rim) >= 0) return outside;
    return laced && skin > -0.4 * wall ? trim_region : upper_region;
  }
};

ShapeSolid make(const Values& values) {
  const double length = values.at("length"), height = values.at("height"), sole = values.at("sole_thickness");
  const double groove = values.at("groove_depth"), wall = values.at("wall_thickness"), lugs = values.at("lugs");
  const double lace = values.at("lace_radius");
  const auto at_most = [&](const char* name, double part) {
    if (values.at(name) > part * length) {
      fail_input(code::shape_parameter, "boot: {} {:g} m must be at most {:g} length = {:g} m", name, values.at(name),
                 part, part * length);
    }
  };
  at_most("sole_thickness", 0.2);
  at_most("wall_thickness", 0.06);
  at_most("lace_radius", 0.03);
  if (groove >= 0.8 * sole) {
    fail_input(code::shape_parameter, "boot: groove_depth {:g} m must be less than 0.8 sole_thickness = {:g} m", groove,
               0.8 * sole);
  }
  if (height < sole + 0.5 * length) {
    fail_input(code::shape_parameter, "boot: height {:g} m must be at least sole_thickness + 0.5 length = {:g} m",
               height, sole + 0.5 * length);
  }
  auto boot = std::make_shared<Boot>(Boot{OutlineField(Boot::plan(), 1.0 / 500, 0.06), height / length, sole / length,
                                          groove / length, wall / length, lugs, lace / length});
  boot->lace_up(static_cast<int>(values.at("rungs")));
  ShapeSolid made;
  made.solid.label = [boot, s = 1 / length](const Vec3& p) {
    return static_cast<int>(boot->label(s * p + Vec3(0.5, 0, 0)));
  };
  made.solid.regions = {"upper", "trim"};
  const double chord = 0.25 * values.at("edge") / length;
  made.solid.features.push_back(boot->rim(chord, [&](double, double) { return boot->sole; }));
  made.solid.features.push_back(boot->rim(chord, [&](double u, double z) { return boot->bottom(u, z); }));
  for (Polyline& line : made.solid.features) {
    for (Vec3& p : line) p = length * (p - Vec3(0.5, 0, 0));
  }
  made.solid.bounds = with_margin({Vec3(-0.52 * length, 0, -0.2 * length), Vec3(0.52 * length, height, 0.2 * length)});
  made.solid.thickness = std::min({wall, sole - groove, 0.4 * length / lugs});
  if (lace > 0) made.solid.thickness = std::min(made.solid.thickness, 1.6 * lace);
  set_finest_detail(made, {{1.5 * wall, "wall_thickness"},
                           {1.6 * (sole - groove), "groove_depth"},
                           {0.8 * length / lugs, "lugs"},
                           {lace > 0 ? 1.6 * lace : length, "lace_radius"}});
  return made;
}

}  // namespace

Shape boot_shape() {
  return {
      "boot",
      "A hollow laced boot along x, the toe at +x, whose treaded sole stands at y = 0 (regions upper, trim: sole and "
      "laces)",
      {{"edge", "m", "edge length", {0.019, 0.0047, 0.0022}, 1e-6, 1e3},
       {"length", "m", "of the sole", {0.3, 0.3, 0.3}, 1e-6, 1e3},
       {"height", "m", "of the shaft's rim", {0.32, 0.32, 0.32}, 1e-6, 1e3},
       {"sole_thickness", "m", "with the tread", {0.028, 0.028, 0.028}, 1e-6, 1e3},
       {"groove_depth", "m", "of the tread", {0.012, 0.012, 0.012}, 0, 1e3},
       {"wall_thickness", "m", "of foot and shaft", {0.014, 0.01, 0.01}, 1e-6, 1e3},
       {"lugs", "", "bars of the tread over the length", {5, 9, 10}, 1, 100, true},
       {"lace_radius", "m", "of the laces; 0: none, and nothing sewn on", {0, 0.004, 0.0035}, 0, 1e3},
       {"rungs", "", "crossings of the laces", {0, 6, 7}, 0, 50, true}},
      make};
}

}  // namespace sinew::mesher
