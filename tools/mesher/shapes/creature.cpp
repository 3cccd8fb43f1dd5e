#include <array>
#include <memory>

#include "sdf_limb.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of height 1, along x with the head at +x, standing at y = 0; the right half, of which the left is the mirror image.
struct Creature {
  Limb front, hind, trunk, tusk, tail;  // skin
  Limb spine;                           // from the hip over the middle of the back and the neck into the skull
  std::array<Limb, 2> leg_bones;        // from hip or shoulder over the knee to the foot
  double joint;                         // half of its length

  Creature(double bone, double tusk_radius, double joint_length) : joint(0.5 * joint_length) {
    front = {{{0.2, 0.6, 0.11}, {0.19, 0.33, 0.125}, {0.21, 0.1, 0.13}, {0.22, 0.03, 0.13}}, {0.1, 0.08, 0.082, 0.09}};
    hind = {{{-0.24, 0.6, 0.1}, {-0.22, 0.33, 0.12}, {-0.255, 0.1, 0.125}, {-0.245, 0.03, 0.125}},
            {0.115, 0.082, 0.08, 0.09}};
    trunk = {{{0.58, 0.78, 0}, {0.68, 0.62, 0}, {0.7, 0.42, 0}, {0.73, 0.27, 0}, {0.81, 0.2, 0}},
             {0.08, 0.062, 0.052, 0.046, 0.042}};
    tusk = {{{0.54, 0.72, 0.085}, {0.65, 0.58, 0.14}, {0.79, 0.53, 0.155}, {0.89, 0.6, 0.13}},
            {1.1 * tusk_radius, 1.1 * tusk_radius, tusk_radius, 0.7 * tusk_radius}};
    tail = {{{-0.34, 0.76, 0}, {-0.44, 0.62, 0}, {-0.46, 0.48, 0}, {-0.46, 0.42, 0}}, {0.045, 0.03, 0.028, 0.04}};
    spine = {{{-0.28, 0.74, 0}, {-0.06, 0.77, 0}, {0.28, 0.8, 0}, {0.48, 0.84, 0}},
             {1.1 * bone, 1.1 * bone, 1.1 * bone, bone}};
    const auto bone_of = [bone](const Limb& leg) {
      return Limb{{leg.points[0], leg.points[1], leg.points[2]}, {bone, bone, bone}};
    };
    leg_bones = {bone_of(front), bone_of(hind)};
  }

  double skin(const Vec3& p) const {
    double d = ellipsoid_distance(p - Vec3(-0.03, 0.7, 0), {0.35, 0.2, 0.2});
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.17, 0.79, 0), {0.18, 0.19, 0.16}), 0.08);
    d = smooth_union(d, capsule_distance(p, {0.26, 0.77, 0}, {0.44, 0.82, 0}, 0.14, 0.12), 0.06);
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.5, 0.83, 0), {0.125, 0.17, 0.13}), 0.05);
    d = smooth_union(d, std::min(front.distance(p), hind.distance(p)), 0.05);
    d = smooth_union(d, trunk.distance(p), 0.04);
    d = smooth_union(d, tail.distance(p), 0.03);
    const Vec3 ear = Eigen::AngleAxisd(0.5, Vec3::UnitY()) * (p - Vec3(0.39, 0.8, 0.17));
    d = smooth_union(d, ellipsoid_distance(ear, {0.085, 0.12, 0.032}), 0.03);
    return round_intersection(d, -p.y(), 0.02);
  }

  bool in_bones(const Vec3& p) const {
    if (spine.distance(p) < 0 || leg_bones[0].distance(p) < 0 || leg_bones[1].distance(p) < 0) return true;
    return ellipsoid_distance(p - Vec3(0.51, 0.84, 0), {0.07, 0.1, 0.075}) < 0;
  }

  bool in_joints(const Vec3& p) const {
    if (front.in_joint(p, 1, joint) || hind.in_joint(p, 1, joint)) return true;
    if (spine.in_joint(p, 1, joint) || spine.in_joint(p, 2, joint)) return true;
    const double r = 1.5 * spine.radii[0];  // of the ball around the end of a thigh
    return (p - front.points[0]).squaredNorm() < r * r || (p - hind.points[0]).squaredNorm() < r * r;
  }

  int label(const Vec3& at) const {
    const Vec3 p = mirrored(at);
    const double horn = tusk.distance(p);
    if (smooth_union(skin(p), horn, 0.015) >= 0) return 0;
    if (horn < 0) return 1;
    if (in_joints(p)) return 2;
    return in_bones(p) ? 1 : 3;
  }
};

ShapeSolid make(const Values& values) {
  const double height = values.at("height"), bone = values.at("bone_radius"), tusk = values.at("tusk_radius");
  const double joint = values.at("joint_length");
  const auto at_most = [&](const char* name, double part) {
    if (values.at(name) > part * height)
      fail_input(code::shape_parameter, "creature: {} {:g} m must be at most {:g} height = {:g} m", name,
                 values.at(name), part, part * height);
  };
  at_most("bone_radius", 0.05);
  at_most("tusk_radius", 0.035);
  at_most("joint_length", 0.12);
  ShapeSolid made;
  made.solid.label = [creature = std::make_shared<Creature>(bone / height, tusk / height, joint / height),
                      s = 1 / height](const Vec3& p) { return creature->label(s * p); };
  made.solid.regions = {"bone", "joint", "muscle"};
  made.solid.bounds = with_margin({height * Vec3(-0.52, 0, -0.27), height * Vec3(0.93, 1.02, 0.27)});
  made.solid.thickness = std::min({1.4 * tusk, 2 * bone, joint});
  set_finest_detail(made, {{2.25 * tusk, "tusk_radius"}, {1.7 * bone, "bone_radius"}, {1.2 * joint, "joint_length"}});
  return made;
}

}  // namespace

Shape creature_shape() {
  return {"creature",
          "A heavy animal with trunk and tusks along x, standing at y = 0 (regions bone, joint, muscle)",
          {{"edge", "m", "edge length", {0.075, 0.0164, 0.0119}, 1e-6, 1e3},
           {"height", "m", "from the ground to the back", {1, 1, 1}, 1e-6, 1e3},
           {"bone_radius", "m", "of spine and legs", {0.045, 0.035, 0.035}, 1e-6, 1e3},
           {"tusk_radius", "m", "of the tusks", {0.034, 0.024, 0.024}, 1e-6, 1e3},
           {"joint_length", "m", "of the soft part between two bones", {0.08, 0.06, 0.06}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
