#include <memory>
#include <numbers>

#include "sdf_limb.h"
#include "sdf_sweep.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

#include "sinew/core/error.h"

namespace sinew::mesher {
namespace {

enum Region { outside = 0, body_region = 1, sword_region = 2, pale_region = 3 };

// Of height 1 without its sword, looking to +x, standing at y = 0, the sword in the hand at +z. All but the arms is
// mirrored at z = 0.
struct Gator {
  Sweep torso, tail, snout, chin, leg, raised, hanging;
  Cones scutes, crest;  // rows along the back; along the tail, thinner across
  Cones teeth, toes, toe_claws, fingers, claws;
  double blade;  // half of its thickness
  bool fine;

  static constexpr double toe_angles[3] = {-0.42, 0.05, 0.5};

  Gator(double thickness, bool details) : blade(0.5 * thickness), fine(details) {
    torso = Sweep({{{-0.03, 0.34, 0}, 0.12, 1.1},
                   {{0.015, 0.45, 0}, 0.155, 1.08},
                   {{0.02, 0.58, 0}, 0.155, 1.04},
                   {{-0.005, 0.7, 0}, 0.125, 1.2},
                   {{-0.02, 0.8, 0}, 0.092, 1.05},
                   {{-0.005, 0.9, 0}, 0.088, 1.1}},
                  4);
    tail = Sweep({{{-0.02, 0.4, 0}, 0.135, 1},
                  {{-0.18, 0.27, 0}, 0.115, 0.95},
                  {{-0.36, 0.175, 0}, 0.087, 0.8},
                  {{-0.56, 0.155, 0}, 0.057, 0.75},
                  {{-0.735, 0.2, 0}, 0.026, 0.9}},
                 5);
    snout = Sweep({{{-0.03, 0.925, 0}, 0.082, 1.1},
                   {{0.09, 0.94, 0}, 0.06, 1.18},
                   {{0.22, 0.93, 0}, 0.042, 1.3},
                   {{0.34, 0.928, 0}, 0.036, 1.4},
                   {{0.405, 0.93, 0}, 0.038, 1.5}},
                  4);
    chin = Sweep({{{-0.02, 0.872, 0}, 0.062, 1.2},
                  {{0.1, 0.832, 0}, 0.038, 1.55},
                  {{0.21, 0.785, 0}, 0.027, 1.75},
                  {{0.32, 0.75, 0}, 0.026, 1.7}},
                 4);
    leg = Sweep({{{-0.02, 0.4, 0.09}, 0.105},
                 {{0.035, 0.29, 0.125}, 0.1},
                 {{0.04, 0.2, 0.13}, 0.068},
                 {{-0.01, 0.1, 0.13}, 0.05},
                 {{0.005, 0.04, 0.13}, 0.052}},
                4);
    raised = Sweep({{{0, 0.715, 0.1}, 0.068},
                    {{0.01, 0.645, 0.17}, 0.058},
                    {{0.05, 0.56, 0.205}, 0.046},
                    {{0.13, 0.565, 0.21}, 0.05},
                    {{0.235, 0.6, 0.21}, 0.036}},
                   4);
    hanging = Sweep({{{0, 0.715, -0.1}, 0.068},
                     {{-0.01, 0.64, -0.175}, 0.058},
                     {{0.015, 0.545, -0.215}, 0.045},
                     {{0.07, 0.48, -0.215}, 0.05},
                     {{0.13, 0.41, -0.2}, 0.036}},
                    4);
    add_scutes();
    add_feet();
    add_hand();
    if (fine) add_teeth();
  }

  // Keeled plates: three rows on the back that become one crest on the tail. Coarse meshes have the middle row only.
  void add_scutes() {
    const auto plate = [](const Sweep& on, double t, double angle, double height, double foot) {
      const Vec3 at = on.surface(t, angle), up = on.normal(t, angle);
      const Vec3 back = (up + 0.45 * (on.tangent(t).x() < -0.3 ? Vec3(-1, 0, 0) : Vec3(0, -1, 0))).normalized();
      return Cone{at - 0.4 * foot * up, at + height * back, foot, 0.2 * foot};
    };
    constexpr double behind = 0;  // the torso runs up: its normal side x tangent points to -x
    const int rows = fine ? 7 : 4;
    for (int i = 0; i < rows; ++i) {
      const double t = 0.22 + 0.68 * i / (rows - 1), tall = 0.03 + 0.02 * std::sin(3.1 * t);
      scutes.add(plate(torso, t, behind, fine ? tall : 1.5 * tall, fine ? 0.03 : 0.045));
      if (fine) scutes.add(plate(torso, t + 0.04, 0.62, 0.8 * tall, 0.027));
    }
    const int fins = fine ? 9 : 4;
    for (int i = 0; i < fins; ++i) {
      const double t = 0.2 + 0.68 * i / (fins - 1), size = 1 - 0.55 * t;
      crest.add(plate(tail, t, std::numbers::pi, (fine ? 0.07 : 0.1) * size, (fine ? 0.036 : 0.055) * size));
    }
  }

  void add_feet() {
    for (const double angle : toe_angles) {
      const Vec3 along(std::cos(angle), 0, std::sin(angle)), heel(0.0, 0.032, 0.13);
      const Vec3 ball = heel + 0.115 * along;
      toes.add({heel, ball, 0.04, 0.028});
      if (fine) toe_claws.add({ball + 0.012 * along, ball + Vec3(0.052 * along) - Vec3(0, 0.014, 0), 0.018, 0.007});
    }
  }

  // The open one; the other holds the sword.
  void add_hand() {
    const Vec3 wrist(0.135, 0.405, -0.198), down = Vec3(0.55, -0.8, 0.1).normalized();
    const Vec3 across = down.cross(Vec3::UnitZ()).normalized();
    for (const double k : fine ? std::vector<double>{-1, 0, 1} : std::vector<double>{0}) {
      const Vec3 along = (down + 0.42 * k * across + Vec3(0, 0, 0.1)).normalized();
      const Vec3 tip = wrist + 0.085 * along;
      fingers.add({wrist, tip, 0.03, fine ? 0.019 : 0.04});
      if (fine) claws.add({tip + 0.006 * along, tip + 0.042 * (along + Vec3(0.3, 0, 0)).normalized(), 0.014, 0.006});
    }
    if (!fine) return;
    const Vec3 thumb = wrist + Vec3(0.03, -0.02, 0.06);
    fingers.add({wrist, thumb, 0.026, 0.018});
    claws.add({thumb, thumb + Vec3(0.02, -0.03, 0.012), 0.013, 0.006});
  }

  // Along both jaws, on the side; the upper ones overlap the lower ones.
  void add_teeth() {
    for (int i = 0; i < 6; ++i) {
      const double t = 0.45 + 0.1 * i, size = i == 4 || i == 2 ? 1.2 : 1;
      const Section s = snout.section(t);
      const Vec3 root = s.at + s.radius * Vec3(0, -0.55, 0.72 * s.stretch);
      teeth.add({root, root + Vec3(0, -0.035 * size, 0.002), 0.0135 * size, 0.005});
    }
    for (int i = 0; i < 5; ++i) {
      const double t = 0.56 + 0.1 * i;
      const Section s = chin.section(t);
      const Vec3 root = s.at + s.radius * Vec3(0.1, 0.6, 0.72 * s.stretch);
      teeth.add({root, root + Vec3(0.004, 0.03, 0), 0.012, 0.005});
    }
  }

  double head(const Vec3& p) const {
    double d = smooth_union(snout.distance(p), chin.distance(p), 0.012);
    d = smooth_union(d, ellipsoid_distance(p - Vec3(-0.04, 0.9, 0.055), {0.085, 0.075, 0.06}), 0.03);  // jaw muscles
    d = smooth_union(d, capsule_distance(p, {-0.01, 0.985, 0.052}, {0.05, 0.982, 0.05}, 0.034, 0.03), 0.02);  // brows
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.395, 0.962, 0.024), {0.03, 0.018, 0.019}), 0.014);
    if (!fine) return d;
    d = smooth_intersection(d, 0.011 - (p - Vec3(0.412, 0.977, 0.026)).norm(), 0.008);  // nostrils
    const Vec3 q = p - eye();
    const double lid = round_intersection(q.norm() - 0.036, -q.dot(Vec3(-0.3, 0.93, -0.2)), 0.006);
    return smooth_union(smooth_union(d, lid, 0.01), q.norm() - 0.0265, 0.008);  // no crevice around the ball
  }
  static Vec3 eye() { return {0.048, 0.978, 0.07}; }

  // Bands across the belly, and wrinkles of the throat.
  double bands(const Vec3& p) const {
    if (!fine) return 0;
    const double front = smooth_step(0.02, 0.09, p.x()) * smooth_step(0.15, 0.1, std::abs(p.z()));
    const double high = smooth_step(0.36, 0.42, p.y()) * smooth_step(0.78, 0.74, p.y());
    return 0.009 * front * high * std::pow(0.5 + 0.5 * std::cos(2 * std::numbers::pi * p.y() / 0.052), 3);
  }

  double body(const Vec3& at) const {
    const Vec3 p = mirrored(at);
    double d = smooth_union(torso.distance(p), tail.distance(p), 0.08);
    d = smooth_union(d, leg.distance(p), 0.05);
    d = smooth_union(d, toes.distance(p, 0.012), 0.035);
    d += bands(p);
    d = smooth_union(d, head(p), 0.035);
    const double arms = std::min(raised.distance(at), hanging.distance(at));
    d = smooth_union(d, arms, 0.035);
    d = smooth_union(d, fingers.distance(at, 0.012), 0.02);
    d = smooth_union(d, fist(at), 0.02);
    d = smooth_union(d, scutes.distance(p), 0.012);
    const Vec3 thin(p.x(), p.y(), 1.8 * p.z());
    d = smooth_union(d, crest.distance(thin) * 0.7, 0.012);
    return round_intersection(d, -p.y(), 0.015);
  }

  // In the frame of the sword: its grip is in the hand, the blade points up and a little forwards.
  Vec3 in_hand(const Vec3& at) const { return Eigen::AngleAxisd(0.25, Vec3::UnitZ()) * (at - Vec3(0.24, 0.6, 0.21)); }

  // Three fingers around the grip.
  double fist(const Vec3& at) const {
    const Vec3 p = in_hand(at);
    double d = ellipsoid_distance(p - Vec3(-0.006, 0, 0), {0.044, 0.052, 0.046});
    if (!fine) return d - 0.006;
    for (const double y : {-0.038, -0.005, 0.028})
      d = smooth_union(d, torus_distance(p - Vec3(0.006, y, 0), 0.03, 0.018), 0.006);
    return smooth_union(d, capsule_distance(p, {-0.02, 0.005, -0.03}, {0.03, 0.022, -0.03}, 0.022, 0.018),
                        0.02);  // thumb
  }

  double sword(const Vec3& at) const {
    const Vec3 p = in_hand(at);
    const double thick = 0.7 * blade + 0.012;
    const double rings = fine ? 0.002 * std::cos(2 * std::numbers::pi * p.y() / 0.03) : 0;
    const double grip = capsule_distance(p, {0, -0.1, 0}, {0, 0.07, 0}, thick, thick) - rings;
    const double pommel = ellipsoid_distance(p - Vec3(0, -0.125, 0), {thick + 0.014, thick + 0.008, thick + 0.01});
    // The guard is bent towards the blade and ends in balls.
    const Vec3 bent(std::abs(p.x()), p.y() - 2.2 * p.x() * p.x(), p.z());
    double guard = capsule_distance(bent, {0, 0.085, 0}, {0.1, 0.085, 0}, 0.8 * thick, 0.7 * thick);
    guard = smooth_union(guard, (bent - Vec3(0.105, 0.085, 0)).norm() - 0.95 * thick, 0.01);
    // A blade with a ridge, that widens before the point.
    const double up = std::clamp((p.y() - 0.09) / 0.47, 0.0, 1.0);
    const double width = (0.036 + 0.012 * std::sin(2.6 * up)) * std::sqrt(std::max(1e-4, 1 - std::pow(up, 6)));
    const double half = blade * (1.15 - 0.5 * std::min(1.0, std::abs(p.x()) / 0.045));
    const double sides = round_intersection(std::abs(p.x()) - width, std::abs(p.z()) - half, 0.45 * blade);
    const double edge = round_intersection(sides * 0.9, std::max(0.05 - p.y(), p.y() - 0.56), 0.4 * blade);
    return smooth_union(std::min(grip, pommel), smooth_union(guard, edge, 0.008), 0.008);
  }

  // Belly and throat, the underside of the jaw, and an ever narrower part of the underside of the tail.
  bool pale(const Vec3& p) const {
    const double side = std::abs(p.z());
    if (p.x() > 0.02 && p.y() > 0.7 && p.y() < 0.85 - 0.22 * p.x())
      return raised.distance(p) > 0.01 && p.y() < chin_middle(p.x());
    const double up = (p.y() - 0.56) / 0.24;
    if (up > 1.2 || up < -1 || p.x() < 0) return false;
    const double wide =
        0.105 * std::sqrt(std::max(0.0, 1 - std::pow(up < 0 ? up : 0.75 * up, 4))) - 0.02 * std::max(up, 0.0);
    return side < wide && hanging.distance(p) > 0.004 && raised.distance(p) > 0.004;
  }
  static double chin_middle(double x) { return 0.875 - 0.4 * x + 0.02 * smooth_step(0.25, 0.35, x); }

  int label(const Vec3& p) const {
    if (sword(p) < 0) return sword_region;
    const Vec3 q = mirrored(p);
    const double ivory = fine ? std::min({teeth.distance(q), toe_claws.distance(q), claws.distance(p)}) : 1;
    const double flesh = body(p);
    if (std::min(flesh, ivory) >= 0) return outside;
    if (flesh >= 0 || (fine && (q - eye()).norm() < 0.0267)) return pale_region;
    return pale(p) ? pale_region : body_region;
  }

  // Smaller tets where small things are, larger ones deep inside.
  double grading(const Vec3& p) const {
    if (!fine) return 1;
    const Vec3 q = mirrored(p);
    double near = (q - Vec3(std::clamp(p.x(), 0.05, 0.4), 0.9, 0.04)).norm() - 0.05;
    near = std::min({near, (p - Vec3(0.19, 0.36, -0.19)).norm() - 0.02, (q - Vec3(0.14, 0.03, 0.15)).norm() - 0.02,
                     (p - Vec3(0.24, 0.6, 0.21)).norm() - 0.01});
    return 0.55 + 0.75 * smooth_step(0, 0.25, near);
  }
};

ShapeSolid make(const Values& values) {
  const double height = values.at("height"), blade = values.at("blade_thickness");
  if (blade > 0.06 * height)
    fail_input(code::shape_parameter, "gator: blade_thickness {:g} m must be at most 0.06 height = {:g} m", blade,
               0.06 * height);
  const bool fine = values.at("details") != 0;
  const auto gator = std::make_shared<Gator>(blade / height, fine);
  ShapeSolid made;
  made.solid.label = [gator, s = 1 / height](const Vec3& p) { return gator->label(s * p); };
  if (fine) made.solid.grading = [gator, s = 1 / height](const Vec3& p) { return gator->grading(s * p); };
  made.solid.regions = {"body", "sword", "pale"};
  made.solid.bounds = with_margin({height * Vec3(-0.78, 0, -0.3), height * Vec3(0.47, 1.2, 0.3)});
  made.solid.thickness = std::min(blade, (fine ? 0.018 : 0.036) * height);
  set_finest_detail(made, {{1.5 * blade, "blade_thickness"}, {(fine ? 0.02 : 0.06) * height, "height"}});
  return made;
}

}  // namespace

Shape gator_shape() {
  return {"gator",
          "An alligator that stands upright at y = 0 and looks to +x, with a sword in its hand (regions body, sword, "
          "pale: its belly, teeth and claws)",
          {{"edge", "m", "edge length", {0.044, 0.0147, 0.0112}, 1e-6, 1e3},
           {"height", "m", "without the sword", {1, 1, 1}, 1e-6, 1e3},
           {"blade_thickness", "m", "of the sword's blade", {0.034, 0.022, 0.022}, 1e-6, 1e3},
           {"details", "", "1: with teeth, claws, fingers and rows of scutes; 0: without", {0, 1, 1}, 0, 1, true}},
          make};
}

}  // namespace sinew::mesher
