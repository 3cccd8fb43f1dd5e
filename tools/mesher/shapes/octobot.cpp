#include <cmath>
#include <memory>
#include <numbers>

#include "sdf_limb.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of height 1 around y, the tips of its tentacles at y = 0, looking to +z.
struct Octobot {
  double core;
  Limb tentacle;  // the one in the direction of +x
  double count;

  Octobot(double core_radius, double tentacle_radius, double tentacles) : core(core_radius), count(tentacles) {
    constexpr int pieces = 8;
    for (int k = 0; k <= pieces; ++k) {
      const double t = static_cast<double>(k) / pieces;
      // Out and down from below the head, and up again at the tip.
      const double r = 0.1 + 0.46 * t, y = 0.46 - 0.5 * smooth_step(0, 0.9, t) + 0.14 * t * t * t;
      tentacle.points.emplace_back(r, y, 0);
      tentacle.radii.push_back(tentacle_radius * (1 - 0.55 * t));
    }
  }

  int label(const Vec3& p) const {
    if ((p - head()).squaredNorm() < core * core) return 1;
    double d = ellipsoid_distance(p - head(), {0.24, 0.26, 0.24});
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0, 0.46, 0), {0.17, 0.09, 0.17}), 0.05);
    const Vec3 side(std::abs(p.x()), p.y(), p.z());
    d = smooth_union(d, (side - Vec3(0.095, 0.7, 0.2)).norm() - 0.07, 0.02);  // the eyes
    const double sector = 2 * std::numbers::pi / count;
    const double turn = sector * std::round(std::atan2(p.z(), p.x()) / sector);
    const Vec3 q(std::cos(turn) * p.x() + std::sin(turn) * p.z(), p.y(),
                 -std::sin(turn) * p.x() + std::cos(turn) * p.z());
    return smooth_union(d, tentacle.distance(q), 0.03) < 0 ? 2 : 0;
  }

  static Vec3 head() { return {0, 0.72, 0}; }
};

ShapeSolid make(const Values& values) {
  const double height = values.at("height"), core = values.at("core_radius"), thick = values.at("tentacle_radius");
  const double count = values.at("tentacles");
  if (core > 0.2 * height) {
    fail_input(code::shape_parameter, "octobot: core_radius {:g} m must be at most 0.2 height = {:g} m", core,
               0.2 * height);
  }
  const double room = 0.25 * height * std::sin(std::numbers::pi / count);
  if (thick > std::min(room, 0.1 * height)) {
    fail_input(code::shape_parameter,
               "octobot: tentacle_radius {:g} m must be at most {:g} m, where {:g} tentacles and the head meet", thick,
               std::min(room, 0.1 * height), count);
  }
  ShapeSolid made;
  made.solid.label = [octobot = std::make_shared<Octobot>(core / height, thick / height, count),
                      s = 1 / height](const Vec3& p) { return octobot->label(s * p); };
  made.solid.regions = {"core", "body"};
  made.solid.bounds = with_margin({height * Vec3(-0.62, -0.02, -0.62), height * Vec3(0.62, 0.98, 0.62)});
  made.solid.thickness = 0.9 * thick;
  set_finest_detail(made, {{thick, "tentacle_radius"}, {0.7 * core, "core_radius"}});
  return made;
}

}  // namespace

Shape octobot_shape() {
  return {
      "octobot",
      "A round head with a stiff core on tentacles that stand at y = 0 (regions core, body)",
      {{"edge", "m", "edge length", {0.044, 0.0128, 0.0094}, 1e-6, 1e3},
       {"height", "m", "from the ground to the top of the head", {1, 1, 1}, 1e-6, 1e3},
       {"core_radius", "m", "of the core in the head", {0.15, 0.15, 0.15}, 1e-6, 1e3},
       {"tentacle_radius", "m", "of a tentacle at its root; the tip is half as thick", {0.055, 0.05, 0.05}, 1e-6, 1e3},
       {"tentacles", "", "number of tentacles", {8, 8, 8}, 3, 100, true}},
      make};
}

}  // namespace sinew::mesher
