#include <memory>
#include <numbers>

#include "sdf_scatter.h"
#include "sdf_sweep.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

enum Region { outside = 0, cap_region = 1, stem_region = 2 };

// A fly agaric of height 1 that stands at y = 0.
struct Mushroom {
  Sweep stalk;
  std::vector<Vec3> warts;  // unit directions from the middle of the cap
  std::vector<double> wart_sizes;
  double gills, ring;  // number; half of a thickness

  Mushroom(double gill_count, double ring_thickness, int wart_count) : gills(gill_count), ring(0.5 * ring_thickness) {
    stalk = Sweep({{{0.01, 0.06, 0}, 0.185},
                   {{0.015, 0.12, 0}, 0.17},
                   {{0.02, 0.26, 0}, 0.125},
                   {{0.01, 0.45, 0}, 0.11},
                   {{0, 0.62, 0}, 0.12},
                   {{0, 0.72, 0}, 0.16}},
                  5);
    constexpr double golden_angle = std::numbers::pi * (3 - 2.2360679774997896964);
    for (int i = 0; i < wart_count; ++i) {
      const double y = 1 - 0.8 * (i + scattered(i, 0, 0.2, 0.6)) / wart_count, r = std::sqrt(1 - y * y);
      const double angle = golden_angle * i + scattered(i, 1, -0.25, 0.25);
      warts.emplace_back(r * std::cos(angle), y, r * std::sin(angle));
      wart_sizes.push_back(scattered(i, 2, 0.036, 0.072));
    }
  }

  static Vec3 middle() { return {0, 0.6, 0}; }
  static Vec3 half() { return {0.47, 0.375, 0.47}; }

  // Of the cap's outside, a little out of round.
  static double dome(const Vec3& p) {
    const double angle = std::atan2(p.z(), p.x());
    const double low = smooth_step(0.85, 0.6, p.y());
    const double wide = 1 - 0.02 * low * (1 + std::cos(3 * angle + 0.8) + 0.6 * std::cos(5 * angle));
    return ellipsoid_distance((p - middle()).cwiseQuotient(Vec3(wide, 1, wide)), half());
  }

  // Above the hollow underside; the gills hang from it.
  double under(const Vec3& p, double between) const {
    const double r = std::hypot(p.x(), p.z());
    const double hollow = 0.575 + 0.085 * smooth_step(0.47, 0.25, r);
    const double gap = gills > 0 ? 0.055 * smooth_step(-0.3, 0.5, std::cos(gills * std::atan2(p.z(), p.x()))) *
                                       smooth_step(0.14, 0.2, r) * smooth_step(0.455, 0.41, r)
                                 : 0;
    return hollow + between * gap - p.y();
  }

  // The bulb with its rims, the stalk and the skirt around it.
  double stem(const Vec3& p) const {
    double d = stalk.distance(p);
    const double r = std::hypot(p.x() - 0.015, p.z()), angle = std::atan2(p.z(), p.x());
    const Vec3 q(r, p.y(), 0);
    for (const double y : {0.13, 0.195}) {
      const double at = y + 0.008 * std::cos(5 * angle + 20 * y);
      d = smooth_union(d, (q - Vec3(0.165 - 0.35 * (y - 0.13), at, 0)).norm() - 0.022, 0.02);
    }
    const double hem = 0.425 + 0.014 * std::cos(7 * angle);
    const double skirt = std::min(capsule_distance(q, {0.1, 0.52, 0}, {0.165, 0.5, 0}, ring, ring),
                                  capsule_distance(q, {0.165, 0.5, 0}, {0.205, hem, 0}, ring, 0.9 * ring));
    d = smooth_union(d, skirt, 0.025);
    return round_intersection(d, -p.y(), 0.02);
  }

  double wart(const Vec3& p) const {
    double least = 1;
    for (std::size_t i = 0; i < warts.size(); ++i) {
      const Vec3 at = middle() + warts[i].cwiseProduct(half());
      const Vec3 q = p - at;
      const double size = wart_sizes[i];
      if (q.squaredNorm() > 4 * size * size) continue;
      const Vec3 up = warts[i].cwiseQuotient(half()).normalized();
      const double high = q.dot(up), wide = (q - high * up).norm();
      const double top = std::abs(high) - 0.026 * (1 - 0.35 * wide * wide / (size * size));
      least = std::min(least, round_intersection(wide - size, top, 0.016));
    }
    return least;
  }

  int label(const Vec3& p) const {
    const double skin = dome(p), below = under(p, 1);
    const double cap = round_intersection(skin, below, 0.03);
    const double pale = smooth_union(stem(p), cap, 0.05);
    const double spots = p.y() > 0.6 ? wart(p) : 1;
    if (smooth_union(pale, spots, 0.008) >= 0) return outside;
    if (spots < 0.003 && skin > -0.012) return stem_region;
    return skin < 0.004 && under(p, 0) < -0.06 ? cap_region : stem_region;
  }
};

ShapeSolid make(const Values& values) {
  const double height = values.at("height"), ring = values.at("ring_thickness"), gills = values.at("gills");
  if (ring > 0.08 * height) {
    fail_input(code::shape_parameter, "mushroom: ring_thickness {:g} m must be at most 0.08 height = {:g} m", ring,
               0.08 * height);
  }
  ShapeSolid made;
  const auto mushroom = std::make_shared<Mushroom>(gills, ring / height, static_cast<int>(values.at("warts")));
  made.solid.label = [mushroom, s = 1 / height](const Vec3& p) { return mushroom->label(s * p); };
  made.solid.regions = {"cap", "stem"};
  made.solid.bounds = with_margin({height * Vec3(-0.48, 0, -0.48), height * Vec3(0.48, 1.01, 0.48)});
  const double gill = gills > 0 ? 0.5 * std::numbers::pi * height / gills : height;  // half the space of one, about
  made.solid.thickness = std::min({ring, 0.09 * height, 0.6 * gill});
  set_finest_detail(made, {{1.5 * ring, "ring_thickness"}, {gill, "gills"}, {0.1 * height, "height"}});
  return made;
}

}  // namespace

Shape mushroom_shape() {
  return {"mushroom",
          "A fly agaric that stands at y = 0, with warts, gills and a ring (regions cap, stem: everything pale)",
          {{"edge", "m", "edge length", {0.019, 0.006, 0.0038}, 1e-6, 1e3},
           {"height", "m", "from the ground to the top", {0.25, 0.25, 0.25}, 1e-6, 1e3},
           {"ring_thickness", "m", "of the ring around the stem", {0.0135, 0.009, 0.008}, 1e-6, 1e3},
           {"gills", "", "under the cap", {0, 24, 32}, 0, 200, true},
           {"warts", "", "on the cap", {7, 26, 30}, 0, 1000, true}},
          make};
}

}  // namespace sinew::mesher
