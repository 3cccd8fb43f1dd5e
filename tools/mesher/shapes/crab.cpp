#include <array>
#include <memory>

#include "sdf_limb.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Over the distance between the feet of a pair of legs, about 1: x goes from claw to claw through the body, z to the
// front, and the feet stand near y = 0. One side of it; the other is its mirror image.
struct Crab {
  std::array<Limb, 4> legs;  // hip, knee, ankle, foot
  Limb arm;                  // shoulder, elbow, wrist, palm
  Limb finger, thumb, eye;
  double joint;  // half of its length

  Crab(double r, double joint_length) : joint(0.5 * joint_length) {
    for (std::size_t i = 0; i < 4; ++i) {
      const double s = (static_cast<double>(i) - 1.5) / 1.5;  // from the hind leg, -1, to the front one, 1
      const double x = 0.225 - 0.04 * s * s, reach = 1 - 0.08 * s * s, back = 0.03;
      legs[i] = {{{x, 0.2, 0.13 * s - back},
                  {x + 0.14 * reach, 0.3, 0.22 * s - 1.5 * back},
                  {x + 0.25 * reach, 0.15, 0.31 * s - 2 * back},
                  {x + 0.28 * reach, 0.75 * r, 0.36 * s - 2.5 * back}},
                 {1.1 * r, 1.1 * r, r, 0.75 * r}};
    }
    arm = {{{0.15, 0.2, 0.13}, {0.27, 0.21, 0.31}, {0.2, 0.22, 0.42}, {0.15, 0.23, 0.52}},
           {1.2 * r, 1.2 * r, 1.2 * r, 2 * r}};
    finger = {{{0.15, 0.23, 0.52}, {0.15, 0.23, 0.62}, {0.1, 0.23, 0.7}}, {1.9 * r, 1.3 * r, 0.7 * r}};
    thumb = {{{0.11, 0.23, 0.52}, {0.05, 0.23, 0.59}, {0.055, 0.23, 0.65}}, {1.2 * r, 0.9 * r, 0.6 * r}};
    eye = {{{0.06, 0.22, 0.14}, {0.07, 0.33, 0.2}, {0.07, 0.345, 0.205}}, {0.8 * r, 0.8 * r, 1.15 * r}};
  }

  int label(const Vec3& at) const {
    const Vec3 p(std::abs(at.x()), at.y(), at.z());
    const double top = ellipsoid_distance(p - Vec3(0, 0.205, 0), {0.27, 0.09, 0.21});
    double d = top;
    for (const Limb& leg : legs) d = smooth_union(d, leg.distance(p), 0.02);
    d = smooth_union(d, arm.distance(p), 0.02);
    d = smooth_union(d, std::min({finger.distance(p), thumb.distance(p), eye.distance(p)}), 0.015);
    if (d >= 0) return 0;
    for (const Limb& leg : legs)
      if (in_hip(leg, p) || leg.in_joint(p, 1, joint) || leg.in_joint(p, 2, joint)) return 2;
    return in_hip(arm, p) || arm.in_joint(p, 1, joint) || arm.in_joint(p, 2, joint) ? 2 : 1;
  }

  // The joint of a limb at the shell: a slice just outside of it.
  bool in_hip(const Limb& limb, const Vec3& p) const {
    const Vec3 d = (limb.points[1] - limb.points[0]).normalized(), q = p - limb.points[0];
    const double along = q.dot(d) - 0.085, r = 1.8 * limb.radii[0];
    return std::abs(along) < joint && (q - q.dot(d) * d).squaredNorm() < r * r;
  }
};

ShapeSolid make(const Values& values) {
  const double width = values.at("width"), r = values.at("leg_radius") / width;
  const double joint = values.at("joint_length") / width;
  if (r > 0.04) {
    fail_input(code::shape_parameter, "crab: leg_radius {:g} m must be at most 0.04 width = {:g} m", r * width,
               0.04 * width);
  }
  if (joint > 0.08) {
    fail_input(code::shape_parameter, "crab: joint_length {:g} m must be at most 0.08 width = {:g} m", joint * width,
               0.08 * width);
  }
  ShapeSolid made;
  made.solid.label = [crab = std::make_shared<Crab>(r, joint), s = 1 / width](const Vec3& p) {
    return crab->label(s * p);
  };
  made.solid.regions = {"shell", "joint"};
  made.solid.bounds = with_margin({width * Vec3(-0.55, 0, -0.46), width * Vec3(0.55, 0.4, 0.74)});
  made.solid.thickness = std::min(1.3 * r, joint) * width;
  set_finest_detail(made, {{1.8 * r * width, "leg_radius"}, {1.5 * joint * width, "joint_length"}});
  return made;
}

}  // namespace

Shape crab_shape() {
  return {"crab",
          "A crab that looks to +z, its feet at y = 0: eight legs and two claws (regions shell, joint)",
          {{"edge", "m", "edge length", {0.05, 0.0105, 0.0079}, 1e-6, 1e3},
           {"width", "m", "between the feet of a pair of legs", {1, 1, 1}, 1e-6, 1e3},
           {"leg_radius", "m", "of the legs", {0.032, 0.028, 0.028}, 1e-6, 1e3},
           {"joint_length", "m", "of the soft part at a joint", {0.05, 0.04, 0.04}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
