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

// Over the distance between the feet of a pair of legs, about 1: x goes from claw to claw through the body, z to the
// front, and the feet stand near y = 0. One side of it; the other is its mirror image.
struct Crab {
  std::array<Limb, 4> bones;  // of a leg: hip, knee, ankle, foot
  std::array<Sweep, 4> legs;
  Limb arm_bones;  // shoulder, elbow, wrist, palm
  Sweep arm, palm, thumb, eye;
  Cones spines, knobs;
  double r, joint;  // joint: half of its length
  bool fine;

  Crab(double radius, double joint_length, bool details) : r(radius), joint(0.5 * joint_length), fine(details) {
    const double tip = fine ? 0.42 * r : 0.75 * r;
    for (std::size_t i = 0; i < 4; ++i) {
      const double s = (static_cast<double>(i) - 1.5) / 1.5;  // from the hind leg, -1, to the front one, 1
      const double x = 0.225 - 0.04 * s * s, reach = 1 - 0.08 * s * s, back = 0.03;
      bones[i] = {{{x, 0.2, 0.13 * s - back},
                   {x + 0.14 * reach, 0.3, 0.22 * s - 1.5 * back},
                   {x + 0.25 * reach, 0.15, 0.31 * s - 2 * back},
                   {x + 0.28 * reach, 0.75 * r, 0.36 * s - 2.5 * back}},
                  {1.1 * r, 1.1 * r, r, 0.75 * r}};
      legs[i] = leg(bones[i], tip);
    }
    arm_bones = {{{0.15, 0.2, 0.13}, {0.27, 0.21, 0.31}, {0.2, 0.22, 0.42}, {0.15, 0.23, 0.52}},
                 {1.2 * r, 1.2 * r, 1.2 * r, 2 * r}};
    arm = Sweep({{{0.15, 0.2, 0.13}, 1.25 * r},
                 {{0.2, 0.203, 0.205}, 1.35 * r},
                 {{0.245, 0.207, 0.272}, 1.55 * r},
                 {{0.268, 0.21, 0.312}, 1.25 * r},
                 {{0.248, 0.213, 0.352}, 1.6 * r},
                 {{0.215, 0.218, 0.4}, 1.25 * r},
                 {{0.195, 0.222, 0.43}, 1.2 * r}},
                4, Vec3::UnitY());
    palm = Sweep({{{0.2, 0.22, 0.42}, 1.15 * r, 1},
                  {{0.185, 0.224, 0.46}, 2.1 * r, 0.95},
                  {{0.165, 0.228, 0.53}, 2.75 * r, 0.85},
                  {{0.158, 0.23, 0.59}, 2.1 * r, 0.85},
                  {{0.152, 0.232, 0.645}, 1.35 * r, 0.95},
                  {{0.126, 0.233, 0.705}, 1.0 * r, 1},
                  {fine ? Vec3(0.085, 0.234, 0.745) : Vec3(0.12, 0.234, 0.745), fine ? 0.5 * r : 0.7 * r, 1}},
                 4, Vec3::UnitY());
    thumb = Sweep({{{0.128, 0.228, 0.545}, 1.3 * r, 1},
                   {{0.085, 0.229, 0.578}, 1.15 * r, 1},
                   {{0.055, 0.23, 0.628}, 0.95 * r, 1},
                   {{0.053, 0.232, 0.675}, 0.75 * r, 1},
                   {fine ? Vec3(0.068, 0.233, 0.71) : Vec3(0.05, 0.232, 0.69), fine ? 0.45 * r : 0.6 * r, 1}},
                  4, Vec3::UnitY());
    eye = Sweep({{{0.055, 0.23, 0.13}, r}, {{0.066, 0.275, 0.19}, 0.62 * r}, {{0.07, 0.315, 0.208}, 0.62 * r}}, 4);
    if (fine) add_spines();
  }

  // Thick in its middle, with knobs at knee and ankle, to a point. It is flat across the plane in which it bends.
  Sweep leg(const Limb& bone, double tip) const {
    const auto between = [&](std::size_t i, double t) {
      return Vec3(bone.points[i] + t * (bone.points[i + 1] - bone.points[i]));
    };
    const Vec3 out = bone.points[3] - bone.points[0];
    const Vec3 side = Vec3(out.x(), 0, out.z()).cross(Vec3::UnitY()).normalized();
    const double flat = fine ? 0.72 : 1;
    return Sweep({{bone.points[0], 1.15 * r, 1},
                  {between(0, 0.45), 1.2 * r, 0.9},
                  {between(0, 0.72), 1.5 * r, flat},
                  {between(0, 0.93), 1.2 * r, 0.95},
                  {between(1, 0.08), 1.05 * r, 1},
                  {between(1, 0.5), 1.25 * r, flat},
                  {between(1, 0.9), 0.95 * r, 0.95},
                  {between(2, 0.12), 0.9 * r, 1},
                  {between(2, 0.5), 0.78 * r, 0.9},
                  {bone.points[3], tip, 1}},
                 3, side);
  }

  // The margin of the shell and its front, the arms, and what the claws bite with.
  void add_spines() {
    for (int i = 0; i < 8; ++i) {  // along the side, from behind the eyes to the widest place
      const double a = 1.12 - 0.155 * i;
      const Vec3 out(std::cos(a), 0, std::sin(a)), rim(0.288 * std::cos(a), 0.205, 0.195 * std::sin(a) + 0.005);
      const double size = i == 7 ? 1.5 : 1;
      spines.add({rim - 0.014 * out, rim + size * Vec3(0.03 * out.x(), 0.008, 0.03 * out.z() + 0.006), 0.021, 0.0075});
    }
    for (const double x : {0.0, 0.03}) spines.add({{x, 0.215, 0.19}, {1.2 * x, 0.222, 0.228 - 0.2 * x}, 0.018, 0.0085});
    spines.add({{0.235, 0.23, 0.272}, {0.275, 0.262, 0.292}, 0.02, 0.008});
    spines.add({{0.245, 0.235, 0.345}, {0.275, 0.272, 0.36}, 0.02, 0.008});
    for (int i = 0; i < 4; ++i) {
      const double t = static_cast<double>(i);
      knobs.add(
          {{0.128 - 0.006 * t, 0.232, 0.612 + 0.026 * t}, {0.116 - 0.005 * t, 0.232, 0.616 + 0.026 * t}, 0.019, 0.009});
      if (i < 3)
        knobs.add({{0.062 - 0.002 * t, 0.231, 0.618 + 0.027 * t},
                   {0.078 - 0.003 * t, 0.231, 0.62 + 0.027 * t},
                   0.017,
                   0.008});
    }
  }

  // A vault over a flat belly, broader before its middle, with the swellings of what lies below.
  double shell(const Vec3& p) const {
    const double wide = 0.285 * (1 - 0.2 * smooth_step(0.03, -0.22, p.z()));
    const double high = p.y() > 0.205 ? 0.082 : 0.068;
    double d = ellipsoid_distance(p - Vec3(0, 0.205, 0), {wide, high, 0.2});
    if (fine) {
      const double top = 0.27;
      d = smooth_union(d, ellipsoid_distance(p - Vec3(0, top, 0.075), {0.085, 0.033, 0.07}), 0.012);
      d = smooth_union(d, ellipsoid_distance(p - Vec3(0.135, top - 0.01, 0.0), {0.085, 0.034, 0.105}), 0.012);
      d = smooth_union(d, ellipsoid_distance(p - Vec3(0, top - 0.004, -0.075), {0.062, 0.032, 0.06}), 0.012);
      d = smooth_union(d, ellipsoid_distance(p - Vec3(0.13, top - 0.035, 0.115), {0.06, 0.03, 0.045}), 0.012);
      d = smooth_union(d, ellipsoid_distance(p - Vec3(0.032, 0.17, 0.172), {0.03, 0.042, 0.024}), 0.008);  // the mouth
      const double rim = std::hypot(p.x() / wide, p.z() / 0.2) - 1;  // a raised margin
      d = smooth_union(d, std::hypot(0.2 * rim, p.y() - 0.207) - 0.012, 0.012);
    } else {
      d -= 0.008;
    }
    return d;
  }

  double distance(const Vec3& p) const {
    double d = shell(p);
    for (const Sweep& leg : legs) d = smooth_union(d, leg.distance(p), 0.016);
    d = smooth_union(d, arm.distance(p), 0.016);
    double claw = std::min(palm.distance(p), knobs.distance(p));
    claw = smooth_union(claw, thumb.distance(p), 0.01);
    const double ball = (p - Vec3(0.0715, 0.327, 0.212)).norm() - 1.02 * r;
    d = smooth_union(d, std::min(claw, smooth_union(eye.distance(p), ball, 0.01)), 0.012);
    return smooth_union(d, spines.distance(p), 0.01);
  }

  int label(const Vec3& at) const {
    const Vec3 p(std::abs(at.x()), at.y(), at.z());
    if (distance(p) >= 0) return 0;
    for (const Limb& leg : bones)
      if (in_hip(leg, p) || leg.in_joint(p, 1, joint) || leg.in_joint(p, 2, joint)) return 2;
    return in_hip(arm_bones, p) || arm_bones.in_joint(p, 1, joint) || arm_bones.in_joint(p, 2, joint) ? 2 : 1;
  }

  // The joint of a limb at the shell: a slice just outside of it.
  bool in_hip(const Limb& limb, const Vec3& p) const {
    const Vec3 d = (limb.points[1] - limb.points[0]).normalized(), q = p - limb.points[0];
    const double along = q.dot(d) - 0.085, near = 1.8 * limb.radii[0];
    return std::abs(along) < joint && (q - q.dot(d) * d).squaredNorm() < near * near;
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
  const bool fine = values.at("details") != 0;
  ShapeSolid made;
  made.solid.label = [crab = std::make_shared<Crab>(r, joint, fine), s = 1 / width](const Vec3& p) {
    return crab->label(s * p);
  };
  if (fine)
    made.solid.grading = [s = 1 / width](const Vec3& p) {  // larger tets in the middle of the shell
      return 0.85 + 0.65 * smooth_step(0.0, -0.05, ellipsoid_distance(s * p - Vec3(0, 0.205, 0), {0.26, 0.07, 0.18}));
    };
  made.solid.regions = {"shell", "joint"};
  made.solid.bounds = with_margin({width * Vec3(-0.55, 0, -0.46), width * Vec3(0.55, 0.4, 0.78)});
  made.solid.thickness = std::min((fine ? 0.8 : 1.3) * r, joint) * width;
  set_finest_detail(made, {{(fine ? 0.9 : 1.8) * r * width, "leg_radius"}, {1.5 * joint * width, "joint_length"}});
  return made;
}

}  // namespace

Shape crab_shape() {
  return {"crab",
          "A crab that looks to +z, its feet at y = 0: eight legs and two claws (regions shell, joint)",
          {{"edge", "m", "edge length", {0.05, 0.0118, 0.009}, 1e-6, 1e3},
           {"width", "m", "between the feet of a pair of legs", {1, 1, 1}, 1e-6, 1e3},
           {"leg_radius", "m", "of the legs", {0.032, 0.028, 0.028}, 1e-6, 1e3},
           {"joint_length", "m", "of the soft part at a joint", {0.05, 0.04, 0.04}, 1e-6, 1e3},
           {"details", "", "1: with spines, pointed legs and a shell in relief; 0: without", {0, 1, 1}, 0, 1, true}},
          make};
}

}  // namespace sinew::mesher
