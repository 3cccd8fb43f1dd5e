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

  // Knuckles and nails above, pads below.
  double finger(const Limb& bone, const Vec3& p) const {
    double d = bone.distance(p);
    if ((p - bone.points[1]).squaredNorm() > 0.16) return d;
    const Vec3 &root = bone.points.front(), &knuckle = bone.points[1], &tip = bone.points.back();
    const Vec3 along = (tip - root).normalized(), up = (Vec3::UnitY() - along.y() * along).normalized(),
               side = along.cross(up);
    const double thick = bone.radii[1];
    for (const double t : {0.5, 0.78}) {
      const Vec3 joint =
          t < 0.6 ? Vec3(root + t / 0.6 * (knuckle - root)) : Vec3(knuckle + (t - 0.6) / 0.4 * (tip - knuckle));
      d = smooth_union(d, (p - joint - 0.16 * thick * up).norm() - 0.98 * thick, 0.5 * thick);
      d = smooth_union(d, (p - joint + along * thick * 1.35 + 0.22 * thick * up).norm() - 0.9 * thick, 0.4 * thick);
    }
    const Vec3 q = p - tip - 0.82 * bone.radii.back() * up - 0.1 * thick * along;
    const Vec3 nail(q.dot(along), q.dot(up), q.dot(side));
    const double bed = ellipsoid_distance(nail, {0.82 * thick, 0.3 * thick, 0.62 * thick});
    d = smooth_intersection(d, -bed, 0.1 * thick);
    return smooth_union(d, ellipsoid_distance(nail + Vec3(0, 0.2 * thick, 0), {0.7 * thick, 0.3 * thick, 0.5 * thick}),
                        0.05 * thick);
  }

  double operator()(const Vec3& p) const {
    double d = box_distance(p - Vec3(0.24, 0, 0), {0.2, 0.066, 0.19}, 0.064);
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.2, -0.03, -0.12), {0.15, 0.08, 0.085}),
                     0.05);  // the ball of the thumb
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.2, -0.035, 0.12), {0.16, 0.06, 0.06}), 0.04);
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.04, 0, 0), {0.16, 0.075, 0.115}), 0.08);
    double long_fingers = finger(fingers[0], p);
    for (std::size_t i = 1; i < 4; ++i) long_fingers = smooth_union(long_fingers, finger(fingers[i], p), 0.03);
    for (std::size_t i = 0; i < 4; ++i) {  // tendons on the back
      const Vec3& root = fingers[i].points[0];
      d = smooth_union(d, capsule_distance(p, {0.12, 0.048, 0.4 * root.z()}, root + Vec3(-0.02, 0.028, 0), 0.016, 0.03),
                       0.03);
    }
    d = smooth_union(d, long_fingers, 0.045);
    d = smooth_union(d, finger(fingers[4], p), 0.055);
    // The lines of the palm.
    if (p.y() < 0) {
      const double line = std::min(std::abs(p.x() - 0.33 + 0.25 * (p.z() - 0.05) - 1.2 * p.z() * p.z()),
                                   std::abs(std::hypot(p.x() - 0.17, p.z() + 0.17) - 0.17));
      d += 0.008 * smooth_step(0.03, 0.0, line) * smooth_step(-0.03, -0.06, p.y()) *
           smooth_step(0.19, 0.15, std::abs(p.z()));
    }
    return round_intersection(d, -p.x(), 0.02);
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
          {{"edge", "m", "edge length", {0.02, 0.0052, 0.004}, 1e-6, 1e3},
           {"length", "m", "from the wrist to the longest finger", {0.4, 0.4, 0.4}, 1e-6, 1e3},
           {"finger_radius", "m", "of a finger in its middle", {0.02, 0.018, 0.018}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
