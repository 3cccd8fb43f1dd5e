#include <algorithm>
#include <numbers>

#include "sdf.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

namespace sinew::mesher {
namespace {

struct Hills {
  double length, width, height, count;

  // Long waves that cross at an angle, of unequal lengths so that no two hills are alike.
  double operator()(double x, double z) const {
    const double k = 2 * std::numbers::pi * count / length;
    const double waves = std::sin(k * x) + 0.6 * std::sin(0.63 * k * (x + 1.7 * z) + 1.3) +
                         0.5 * std::cos(0.8 * k * (1.3 * z - 0.6 * x) + 0.4);
    return 0.5 * height * (1 + waves / 2.1);
  }
};

ShapeSolid make(const Values& values) {
  const Hills hills{values.at("length"), values.at("width"), values.at("hill_height"), values.at("hills")};
  const double a = 0.5 * hills.length, b = 0.5 * hills.width, base = values.at("base_height");
  ShapeSolid made;
  made.solid.label = [=](const Vec3& p) {
    if (std::abs(p.x()) >= a || std::abs(p.z()) >= b || p.y() >= hills.height || p.y() <= -base) return 0;
    return p.y() < hills(p.x(), p.z()) ? 1 : 0;
  };
  made.solid.regions = {"terrain"};
  made.solid.bounds = with_margin({Vec3(-a, -base, -b), Vec3(a, hills.height, b)});
  const auto top = [&](double x, double z) { return Vec3(x, hills(x, z), z); };
  const auto line = [&](double xa, double za, double xb, double zb) {
    const int count = chord_count(std::hypot(xb - xa, zb - za), 0.25 * values.at("edge"), 8);
    Polyline points;
    for (int i = 0; i <= count; ++i) {
      const double t = static_cast<double>(i) / count;
      points.push_back(top((1 - t) * xa + t * xb, (1 - t) * za + t * zb));
    }
    made.solid.features.push_back(points);
    made.solid.features.push_back({Vec3(xa, -base, za), Vec3(xb, -base, zb)});
    made.solid.features.push_back({Vec3(xa, -base, za), points.front()});
  };
  line(-a, -b, a, -b);
  line(a, -b, a, b);
  line(a, b, -a, b);
  line(-a, b, -a, -b);
  made.solid.thickness = std::min({base, hills.length, hills.width});
  const double wave = hills.height > 0 && hills.count > 0 ? hills.length / hills.count : hills.length;
  set_finest_detail(made,
                    {{base, "base_height"}, {hills.length, "length"}, {hills.width, "width"}, {0.5 * wave, "hills"}});
  return made;
}

}  // namespace

Shape terrain_shape() {
  return {"terrain",
          "A slab with hills between y = 0 and hill_height, its flat bottom at y = -base_height",
          {{"edge", "m", "edge length", {0.036, 0.014, 0.0098}, 1e-6, 1e3},
           {"length", "m", "extent along x", {1, 1, 1}, 1e-6, 1e3},
           {"width", "m", "extent along z", {0.4, 0.4, 0.4}, 1e-6, 1e3},
           {"base_height", "m", "of the slab under the valleys", {0.06, 0.06, 0.06}, 1e-6, 1e3},
           {"hill_height", "m", "of the hills above the valleys", {0.05, 0.05, 0.05}, 0, 1e3},
           {"hills", "", "hills along x", {3, 3, 3}, 0, 100}},
          make};
}

}  // namespace sinew::mesher
