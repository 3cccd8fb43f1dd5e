#include <array>
#include <memory>

#include "sdf_limb.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of length 1 from the wrist at x = 0 to the tip of the middle finger, a right hand with its palm down, its middle
// layer at y = 0.
struct Hand {
  std::array<Limb, 5> fingers;

  explicit Hand(double r) {
    const auto finger = [r](double root, double tip_x, double tip_z, double part) {
      const Vec3 a(0.4, 0, root), b(tip_x, -0.02, tip_z);
      return Limb{{a, a + 0.6 * (b - a) + Vec3(0, 0.02, 0), b}, {1.12 * part * r, part * r, 0.9 * part * r}};
    };
    fingers = {finger(-0.15, 0.86, -0.3, 1),
               finger(-0.05, 1 - 0.9 * r, -0.1, 1),
               finger(0.05, 0.93, 0.12, 1),
               finger(0.145, 0.77, 0.31, 0.9),
               {}};
    fingers[4] = {{{0.13, 0, -0.12}, {0.3, -0.01, -0.29}, {0.47, -0.02, -0.39}}, {1.4 * r, 1.15 * r, r}};
  }

  double operator()(const Vec3& p) const {
    double d = box_distance(p - Vec3(0.22, 0, 0), {0.22, 0.075, 0.2}, 0.07);
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.2, -0.02, -0.13), {0.16, 0.085, 0.1}), 0.05);
    d = smooth_union(d, capsule_distance(p, {0.07, 0, 0}, {0.1, 0, 0}, 0.1, 0.1), 0.06);
    double long_fingers = fingers[0].distance(p);
    for (std::size_t i = 1; i < 4; ++i) long_fingers = smooth_union(long_fingers, fingers[i].distance(p), 0.04);
    d = smooth_union(d, long_fingers, 0.05);
    return round_intersection(smooth_union(d, fingers[4].distance(p), 0.06), -p.x(), 0.02);
  }
};

ShapeSolid make(const Values& values) {
  const double length = values.at("length"), radius = values.at("finger_radius");
  if (radius > 0.055 * length) {
    fail_input(code::shape_parameter, "hand: finger_radius {:g} m must be at most 0.055 length = {:g} m", radius,
               0.055 * length);
  }
  ShapeSolid made;
  made.solid.label = [hand = std::make_shared<Hand>(radius / length), s = 1 / length](const Vec3& p) {
    return (*hand)(s * p) < 0 ? 1 : 0;
  };
  made.solid.regions = {"hand"};
  made.solid.bounds = with_margin({length * Vec3(0, -0.12, -0.48), length * Vec3(1.02, 0.12, 0.4)});
  made.solid.thickness = 1.6 * radius;
  set_finest_detail(made, {{2 * radius, "finger_radius"}, {0.1 * length, "length"}});
  return made;
}

}  // namespace

Shape hand_shape() {
  return {"hand",
          "A right hand with spread fingers along +x, its palm down around y = 0",
          {{"edge", "m", "edge length", {0.02, 0.0061, 0.0046}, 1e-6, 1e3},
           {"length", "m", "from the wrist to the longest finger", {0.4, 0.4, 0.4}, 1e-6, 1e3},
           {"finger_radius", "m", "of a finger in its middle", {0.02, 0.018, 0.018}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
