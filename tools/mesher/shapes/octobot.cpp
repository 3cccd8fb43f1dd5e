#include <cmath>
#include <memory>
#include <numbers>

#include "sdf_sweep.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of height 1 around y, the tips of its tentacles at y = 0, looking to +z.
struct Octobot {
  double core, thick;
  Sweep tentacle;  // the one in the direction of +x
  Cones suckers;   // on its underside, mirrored at z = 0
  double count;
  bool fine;

  Octobot(double core_radius, double tentacle_radius, double tentacles, bool details)
      : core(core_radius), thick(tentacle_radius), count(tentacles), fine(details) {
    const double r = tentacle_radius, thin = fine ? 0.3 : 0.45;
    // Out and down from below the head, and up again into a curl.
    tentacle = Sweep({{{0.05, 0.52, 0}, 1.1 * r},
                      {{0.15, 0.43, 0}, 1.1 * r},
                      {{0.24, 0.27, 0}, 0.98 * r},
                      {{0.33, 0.12, 0}, 0.82 * r},
                      {{0.43, 0.055, 0}, 0.66 * r},
                      {{0.53, 0.09, 0}, 0.53 * r},
                      {{0.572, 0.17, 0}, std::max(0.42, thin) * r},
                      {{0.535, 0.23, 0}, std::max(0.35, thin) * r},
                      {{0.49, 0.2, 0}, thin * r}},
                     3);
    if (!fine)
      tentacle = Sweep({{{0.05, 0.52, 0}, 1.1 * r},
                        {{0.15, 0.43, 0}, 1.1 * r},
                        {{0.24, 0.27, 0}, 0.95 * r},
                        {{0.33, 0.12, 0}, 0.8 * r},
                        {{0.43, 0.055, 0}, 0.65 * r},
                        {{0.535, 0.09, 0}, 0.5 * r},
                        {{0.572, 0.17, 0}, thin * r}},
                       3);
    if (!fine) return;
    for (int i = 0; i < 14; ++i) {
      const double t = 0.2 + 0.62 * i / 13, angle = std::numbers::pi + 0.55;
      const Vec3 at = tentacle.surface(t, -angle), out = tentacle.normal(t, -angle);
      const double size = 0.36 * tentacle.section(t).radius;
      suckers.add({at - 0.6 * size * out, at + 0.2 * size * out, 0.8 * size, size});
    }
  }

  // Looking out from below a lid, in a bulge of the head.
  double with_eyes(double d, const Vec3& p) const {
    const Vec3 side(std::abs(p.x()), p.y(), p.z()), q = side - Vec3(0.105, 0.66, 0.178);
    d = smooth_union(d, q.norm() - 0.07, 0.05);
    if (!fine) return d;
    const Vec3 out = Vec3(0.5, -0.1, 0.85).normalized();
    d = smooth_intersection(d, 0.062 - (q - 0.062 * out).norm(), 0.012);
    d = std::min(d, (q - 0.016 * out).norm() - 0.052);
    return smooth_union(d, capsule_distance(side, {0.065, 0.725, 0.232}, {0.175, 0.715, 0.19}, 0.022, 0.02), 0.02);
  }

  int label(const Vec3& p) const {
    if ((p - head()).squaredNorm() < core * core) return 1;
    double d = ellipsoid_distance(p - head(), {0.235, 0.25, 0.235});
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0, 0.8, -0.06), {0.2, 0.17, 0.19}), 0.05);
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0, 0.49, 0), {0.15, 0.1, 0.15}), 0.08);
    d = with_eyes(d, p);
    const double sector = 2 * std::numbers::pi / count, swirl = 0.55 * std::hypot(p.x(), p.z());
    const double angle = std::atan2(p.z(), p.x()) + swirl;
    const double turn = sector * std::round(angle / sector) - swirl;
    const Vec3 q(std::cos(turn) * p.x() + std::sin(turn) * p.z(), p.y(),
                 -std::sin(turn) * p.x() + std::cos(turn) * p.z());
    const double arm = smooth_union(tentacle.distance(q), suckers.distance({q.x(), q.y(), std::abs(q.z())}), 0.006);
    return smooth_union(d, arm, 0.05) < 0 ? 2 : 0;
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
  const bool fine = values.at("details") != 0;
  ShapeSolid made;
  made.solid.label = [octobot = std::make_shared<Octobot>(core / height, thick / height, count, fine),
                      s = 1 / height](const Vec3& p) { return octobot->label(s * p); };
  made.solid.regions = {"core", "body"};
  made.solid.bounds = with_margin({height * Vec3(-0.63, -0.02, -0.62), height * Vec3(0.62, 0.98, 0.62)});
  made.solid.thickness = (fine ? 0.55 : 0.9) * thick;
  set_finest_detail(made, {{(fine ? 0.6 : 1) * thick, "tentacle_radius"}, {0.7 * core, "core_radius"}});
  return made;
}

}  // namespace

Shape octobot_shape() {
  return {"octobot",
          "A round head with a stiff core on tentacles that stand at y = 0 (regions core, body)",
          {{"edge", "m", "edge length", {0.044, 0.0137, 0.0101}, 1e-6, 1e3},
           {"height", "m", "from the ground to the top of the head", {1, 1, 1}, 1e-6, 1e3},
           {"core_radius", "m", "of the core in the head", {0.15, 0.15, 0.15}, 1e-6, 1e3},
           {"tentacle_radius", "m", "of a tentacle at its root; the tip is thinner", {0.055, 0.05, 0.05}, 1e-6, 1e3},
           {"tentacles", "", "number of tentacles", {8, 8, 8}, 3, 100, true},
           {"details", "", "1: with suckers and curled tips; 0: without", {0, 1, 1}, 0, 1, true}},
          make};
}

}  // namespace sinew::mesher
