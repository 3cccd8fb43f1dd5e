#include <array>
#include <memory>

#include "sdf_limb.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of height 1 without its sword, looking to +x, standing at y = 0, the sword in the hand at +z.
struct Gator {
  Limb torso, leg, foot, tail, jaw, chin, raised, other;
  std::array<Vec3, 6> ridge;  // tips of the plates along the back
  double blade;               // half of its thickness

  explicit Gator(double thickness) : blade(0.5 * thickness) {
    torso = {{{0, 0.38, 0}, {0.02, 0.52, 0}, {0, 0.7, 0}, {0, 0.86, 0}}, {0.13, 0.15, 0.12, 0.085}};
    leg = {{{0, 0.38, 0.095}, {0.05, 0.22, 0.115}, {0, 0.06, 0.12}}, {0.085, 0.075, 0.06}};
    foot = {{{-0.02, 0.035, 0.12}, {0.13, 0.03, 0.14}}, {0.055, 0.045}};
    tail = {{{-0.07, 0.38, 0}, {-0.22, 0.24, 0}, {-0.4, 0.17, 0}, {-0.58, 0.16, 0}, {-0.74, 0.2, 0}},
            {0.12, 0.095, 0.07, 0.05, 0.03}};
    jaw = {{{0.02, 0.92, 0}, {0.16, 0.925, 0}, {0.36, 0.915, 0}}, {0.08, 0.055, 0.042}};
    chin = {{{0.02, 0.87, 0}, {0.15, 0.825, 0}, {0.31, 0.775, 0}}, {0.05, 0.038, 0.03}};
    raised = {{{0.02, 0.7, 0.11}, {0.06, 0.56, 0.21}, {0.24, 0.6, 0.21}}, {0.06, 0.05, 0.05}};
    other = {{{0.02, 0.7, -0.11}, {0.04, 0.55, -0.2}, {0.14, 0.43, -0.2}}, {0.06, 0.05, 0.052}};
    ridge = {
        {{-0.15, 0.84, 0}, {-0.17, 0.71, 0}, {-0.185, 0.58, 0}, {-0.23, 0.45, 0}, {-0.3, 0.33, 0}, {-0.42, 0.28, 0}}};
  }

  double body(const Vec3& at) const {
    const Vec3 p = mirrored(at);
    double d = smooth_union(torso.distance(p), leg.distance(p), 0.05);
    d = smooth_union(d, foot.distance(p), 0.03);
    d = smooth_union(d, tail.distance(p), 0.06);
    double head = ellipsoid_distance(p - Vec3(0.01, 0.91, 0), {0.1, 0.085, 0.09});
    head = smooth_union(head, jaw.distance(p), 0.03);
    head = smooth_union(head, chin.distance(p), 0.02);
    head = smooth_union(head, (p - Vec3(0.05, 0.985, 0.045)).norm() - 0.034, 0.015);   // the eyes
    head = smooth_union(head, (p - Vec3(0.365, 0.945, 0.022)).norm() - 0.024, 0.015);  // the nostrils
    d = smooth_union(d, head, 0.04);
    d = smooth_union(d, std::min(raised.distance(at), other.distance(at)), 0.03);
    for (const Vec3& tip : ridge) {
      const Vec3 inwards = (Vec3(-0.02, 0.5, 0) - tip).normalized();
      d = smooth_union(d, capsule_distance(p, tip, tip + 0.1 * inwards, 0.018, 0.06), 0.02);
    }
    return round_intersection(d, -p.y(), 0.015);
  }

  // Its grip is in the hand, the blade points up and a little forwards.
  double sword(const Vec3& at) const {
    const Vec3 p = Eigen::AngleAxisd(0.25, Vec3::UnitZ()) * (at - raised.points.back());
    const double grip = capsule_distance(p, {0, -0.11, 0}, {0, 0.07, 0}, 0.7 * blade + 0.012, 0.7 * blade + 0.012);
    const double pommel = (p - Vec3(0, -0.125, 0)).norm() - (0.7 * blade + 0.022);
    const double guard = box_distance(p - Vec3(0, 0.085, 0), {0.1, 0.6 * blade + 0.01, 0.6 * blade + 0.012}, 0.012);
    const double width = 0.045 - 0.02 * smooth_step(0.35, 0.56, p.y());
    const double edge = box_distance(p - Vec3(0, 0.31, 0), {width, 0.24, blade}, 0.6 * blade);
    return smooth_union(std::min(grip, pommel), smooth_union(guard, edge, 0.01), 0.01);
  }

  int label(const Vec3& p) const {
    if (sword(p) < 0) return 2;
    return body(p) < 0 ? 1 : 0;
  }
};

ShapeSolid make(const Values& values) {
  const double height = values.at("height"), blade = values.at("blade_thickness");
  if (blade > 0.06 * height)
    fail_input(code::shape_parameter, "gator: blade_thickness {:g} m must be at most 0.06 height = {:g} m", blade,
               0.06 * height);
  ShapeSolid made;
  made.solid.label = [gator = std::make_shared<Gator>(blade / height), s = 1 / height](const Vec3& p) {
    return gator->label(s * p);
  };
  made.solid.regions = {"body", "sword"};
  made.solid.bounds = with_margin({height * Vec3(-0.78, 0, -0.28), height * Vec3(0.45, 1.2, 0.28)});
  made.solid.thickness = std::min(blade, 0.036 * height);
  set_finest_detail(made, {{1.5 * blade, "blade_thickness"}, {0.06 * height, "height"}});
  return made;
}

}  // namespace

Shape gator_shape() {
  return {"gator",
          "An alligator that stands upright at y = 0 and looks to +x, with a sword in its hand (regions body, sword)",
          {{"edge", "m", "edge length", {0.044, 0.0119, 0.0091}, 1e-6, 1e3},
           {"height", "m", "without the sword", {1, 1, 1}, 1e-6, 1e3},
           {"blade_thickness", "m", "of the sword's blade", {0.034, 0.022, 0.022}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
