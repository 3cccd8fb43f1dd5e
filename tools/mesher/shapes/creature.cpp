#include <array>
#include <memory>
#include <numbers>

#include "sdf_limb.h"
#include "sdf_sweep.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

// Of height 1, along x with the head at +x, standing at y = 0; the right half, of which the left is the mirror image.
struct Creature {
  Limb front, hind;  // from hip or shoulder over the knee to the foot
  std::array<Sweep, 2> legs;
  Sweep trunk, tusk, tail, ear;
  Limb spine;                     // from the hip over the middle of the back and the neck into the skull
  std::array<Limb, 2> leg_bones;  // from hip or shoulder over the knee to the foot
  double joint;                   // half of its length
  bool fine;

  Creature(double bone, double tusk_radius, double joint_length, bool details)
      : joint(0.5 * joint_length), fine(details) {
    front = {{{0.2, 0.6, 0.11}, {0.19, 0.33, 0.125}, {0.21, 0.1, 0.13}, {0.22, 0.03, 0.13}}, {0.1, 0.08, 0.082, 0.09}};
    hind = {{{-0.24, 0.6, 0.1}, {-0.22, 0.33, 0.12}, {-0.255, 0.1, 0.125}, {-0.245, 0.03, 0.125}},
            {0.115, 0.082, 0.08, 0.09}};
    legs = {Sweep({{{0.2, 0.66, 0.1}, 0.12, 0.9},
                   {{0.195, 0.5, 0.118}, 0.098, 0.95},
                   {{0.19, 0.33, 0.125}, 0.078},
                   {{0.205, 0.15, 0.13}, 0.074},
                   {{0.215, 0.05, 0.13}, 0.092},
                   {{0.22, 0.02, 0.13}, 0.096}},
                  3),
            Sweep({{{-0.24, 0.64, 0.095}, 0.15, 0.8},
                   {{-0.235, 0.48, 0.113}, 0.112, 0.9},
                   {{-0.22, 0.33, 0.12}, 0.08},
                   {{-0.25, 0.15, 0.125}, 0.072},
                   {{-0.245, 0.05, 0.125}, 0.09},
                   {{-0.245, 0.02, 0.125}, 0.095}},
                  3)};
    trunk = Sweep({{{0.53, 0.82, 0}, 0.105},
                   {{0.6, 0.74, 0}, 0.082},
                   {{0.66, 0.62, 0}, 0.064},
                   {{0.685, 0.47, 0}, 0.053},
                   {{0.7, 0.33, 0}, 0.046},
                   {{0.755, 0.235, 0}, 0.042},
                   {{0.825, 0.245, 0}, 0.04}},
                  3);
    tusk = Sweep({{{0.54, 0.72, 0.08}, 1.15 * tusk_radius},
                  {{0.62, 0.6, 0.13}, 1.15 * tusk_radius},
                  {{0.73, 0.525, 0.165}, 1.05 * tusk_radius},
                  {{0.84, 0.54, 0.16}, 0.92 * tusk_radius},
                  {{0.9, 0.63, 0.115}, 0.7 * tusk_radius}},
                 4);
    tail = Sweep({{{-0.33, 0.78, 0}, 0.05},
                  {{-0.43, 0.68, 0}, 0.034},
                  {{-0.455, 0.54, 0}, 0.03},
                  {{-0.46, 0.44, 0}, 0.044},
                  {{-0.455, 0.37, 0}, 0.026}},
                 3);
    ear = Sweep({{{0.4, 0.9, 0.12}, 0.035, 1},
                 {{0.36, 0.86, 0.185}, 0.075, 0.4},
                 {{0.345, 0.77, 0.205}, 0.085, 0.36},
                 {{0.36, 0.68, 0.185}, 0.045, 0.6}},
                3, Vec3(0.35, 0.1, 0.93).normalized());
    spine = {{{-0.28, 0.74, 0}, {-0.06, 0.77, 0}, {0.28, 0.8, 0}, {0.48, 0.84, 0}},
             {1.1 * bone, 1.1 * bone, 1.1 * bone, bone}};
    const auto bone_of = [bone](const Limb& leg) {
      return Limb{{leg.points[0], leg.points[1], leg.points[2]}, {bone, bone, bone}};
    };
    leg_bones = {bone_of(front), bone_of(hind)};
  }

  // Of long hair, in locks that hang from the flanks.
  double coat(const Vec3& p) const {
    if (!fine) return 0;
    const double where = smooth_step(0.36, 0.3, std::abs(p.x() + 0.02)) * smooth_step(0.84, 0.72, p.y());
    const double lock = std::cos(2 * std::numbers::pi * p.x() / 0.085 + 5 * std::sin(9 * p.y() + 7 * p.x()));
    return where * (0.006 + 0.014 * std::max(0.0, lock) * std::abs(p.z()) / 0.2);
  }

  double skin(const Vec3& p) const {
    double d = ellipsoid_distance(p - Vec3(-0.04, 0.69, 0), {0.34, 0.205, 0.195});
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.16, 0.8, 0), {0.19, 0.195, 0.155}), 0.09);  // the hump
    d = smooth_union(d, ellipsoid_distance(p - Vec3(-0.25, 0.72, 0.03), {0.12, 0.15, 0.13}), 0.08);
    d = smooth_union(d, capsule_distance(p, {0.26, 0.77, 0}, {0.44, 0.82, 0}, 0.145, 0.12), 0.07);
    d -= coat(p);
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.5, 0.84, 0), {0.12, 0.145, 0.125}), 0.05);
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.475, 0.945, 0), {0.075, 0.075, 0.075}), 0.05);  // the dome
    d = smooth_union(d, capsule_distance(p, {0.5, 0.72, 0}, {0.575, 0.655, 0}, 0.055, 0.035), 0.03);  // the lower lip
    d = smooth_union(d, std::min(legs[0].distance(p), legs[1].distance(p)), 0.05);
    // Rings around the trunk.
    const double rings =
        fine ? 0.0035 * std::cos(2 * std::numbers::pi * (p.y() - 0.6 * p.x()) / 0.06) * smooth_step(0.58, 0.66, p.x())
             : 0;
    d = smooth_union(d, trunk.distance(p) + rings, 0.04);
    d = smooth_union(d, tail.distance(p), 0.03);
    d = smooth_union(d, ear.distance(p), 0.02);
    if (fine) {
      const Vec3 eye(0.567, 0.835, 0.098);
      d = smooth_intersection(d, 0.034 - (p - eye - Vec3(0.012, 0, 0.02)).norm(), 0.016);
      d = smooth_union(d, (p - eye).norm() - 0.024, 0.004);
      d = smooth_union(d, capsule_distance(p, {0.535, 0.872, 0.11}, {0.6, 0.862, 0.075}, 0.017, 0.015), 0.015);
      for (const double x : {0.22, -0.245}) {  // nails
        for (const double turn : {-0.75, 0.0, 0.75}) {
          const Vec3 nail(x + 0.093 * std::cos(turn), 0.035, 0.13 + 0.093 * std::sin(turn));
          d = smooth_union(d, ellipsoid_distance(p - nail, {0.02, 0.034, 0.024}), 0.006);
        }
      }
    }
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
  made.solid.label =
      [creature = std::make_shared<Creature>(bone / height, tusk / height, joint / height, values.at("details") != 0),
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
           {"joint_length", "m", "of the soft part between two bones", {0.08, 0.06, 0.06}, 1e-6, 1e3},
           {"details", "", "1: with a coat, eyes and nails; 0: without", {0, 1, 1}, 0, 1, true}},
          make};
}

}  // namespace sinew::mesher
