#include <memory>

#include "sdf_limb.h"
#include "sdf_sweep.h"
#include "shapes/features.h"
#include "shapes/shapes.h"

namespace sinew::mesher {
namespace {

// Of height 1, looking to +x, on a neck that stands at y = 0; mirrored at z = 0.
struct Head {
  Sweep neck;

  Head() {
    neck = Sweep({{{-0.1, 0, 0}, 0.175, 1.05},
                  {{-0.085, 0.12, 0}, 0.15, 1},
                  {{-0.07, 0.28, 0}, 0.15, 1},
                  {{-0.05, 0.46, 0}, 0.17, 1}},
                 4);
  }

  static Vec3 eye() { return {0.219, 0.605, 0.098}; }

  // Short hair in locks that run down from the crown.
  static double hair(const Vec3& p) {
    const double line = 0.85 * p.y() - 0.5 * p.x() - 0.15 * p.z();  // forehead and temples are bare
    const double beard = smooth_step(0.475, 0.53, line) * smooth_step(0.3, 0.36, p.y());
    const double turn = std::atan2(p.z(), p.x() + 0.1);
    const double locks = std::cos(17 * turn + 5 * p.y()) * smooth_step(0.02, 0.12, std::hypot(p.z(), p.x() + 0.1));
    return beard * (0.011 + 0.007 * locks);
  }

  static double ear(const Vec3& p) {
    const Vec3 q = Eigen::AngleAxisd(-0.12, Vec3::UnitZ()) *
                   (Eigen::AngleAxisd(0.42, Vec3::UnitY()) * (p - Vec3(-0.045, 0.57, 0.272)));
    const double low = 0.72 + 0.28 * smooth_step(-0.1, 0.02, q.y());  // narrower at the lobe
    double d = ellipsoid_distance(q, {0.062 * low, 0.105, 0.024});
    const double rim = (std::hypot(q.x() / (0.055 * low), q.y() / 0.097) - 1) * 0.06;
    d = smooth_union(d, std::hypot(rim, q.z() - 0.014) - 0.015, 0.012);
    return smooth_intersection(d, -ellipsoid_distance(q - Vec3(0.008, -0.01, 0.026), {0.027, 0.05, 0.026}), 0.012);
  }

  // The ball in its socket between two lids.
  static double with_eyes(double d, const Vec3& p) {
    d = smooth_intersection(d, 0.06 - (p - Vec3(0.268, 0.603, 0.108)).norm(), 0.05);
    const Vec3 q = p - eye();
    const double lid = q.norm() - 0.059;
    d = smooth_union(d, round_intersection(lid, -q.dot(Vec3(-0.16, 0.98, 0.05)) + 0.012, 0.008), 0.012);
    d = smooth_union(d, round_intersection(lid, q.dot(Vec3(0.1, 0.99, -0.02)) + 0.02, 0.008), 0.012);
    return std::min(d, q.norm() - 0.05);
  }

  static double with_nose(double d, const Vec3& p) {
    d = smooth_union(d, capsule_distance(p, {0.245, 0.65, 0}, {0.335, 0.525, 0}, 0.024, 0.03), 0.05);
    d = smooth_union(d, (p - Vec3(0.353, 0.5, 0)).norm() - 0.035, 0.03);
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.322, 0.488, 0.036), {0.036, 0.027, 0.024}), 0.016);
    return smooth_intersection(d, -ellipsoid_distance(p - Vec3(0.338, 0.463, 0.024), {0.02, 0.016, 0.012}), 0.012);
  }

  static double with_mouth(double d, const Vec3& p) {
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.2, 0.395, 0), {0.095, 0.07, 0.1}), 0.05);
    const double dip = 0.008 * smooth_step(0.02, 0.0, p.z());  // the bow of the upper lip
    d = smooth_union(d, capsule_distance(p + Vec3(0, dip, 0), {0.298, 0.419, 0}, {0.248, 0.402, 0.078}, 0.023, 0.01),
                     0.014);
    const double lower = capsule_distance(p, {0.293, 0.375, 0}, {0.245, 0.39, 0.07}, 0.025, 0.01);
    return smooth_union(d, lower, 0.006);
  }

  double operator()(const Vec3& at) const {
    const Vec3 p = mirrored(at);
    double d = ellipsoid_distance(p - Vec3(-0.055, 0.675, 0), {0.32, 0.315, 0.258}) - hair(p);
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.08, 0.51, 0), {0.19, 0.26, 0.18}), 0.06);
    d = smooth_union(d, capsule_distance(p, {-0.035, 0.44, 0.15}, {0.19, 0.315, 0.055}, 0.062, 0.055),
                     0.07);  // the jaw
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.222, 0.292, 0), {0.058, 0.048, 0.062}), 0.06);
    d = smooth_union(d, ellipsoid_distance(p - Vec3(0.155, 0.53, 0.128), {0.075, 0.042, 0.055}), 0.06);  // cheekbones
    d = smooth_union(d, neck.distance(p), 0.07);
    d = smooth_union(d, capsule_distance(p, {-0.07, 0.44, 0.15}, {0.02, 0.02, 0.045}, 0.032, 0.03), 0.05);
    d = smooth_union(d, (p - Vec3(0.075, 0.2, 0)).norm() - 0.028, 0.05);
    d = smooth_union(d, capsule_distance(p, {0.252, 0.668, 0.04}, {0.205, 0.682, 0.165}, 0.03, 0.024), 0.04);  // brows
    d = with_mouth(with_nose(with_eyes(d, p), p), p);
    d = smooth_union(d, ear(p), 0.016);
    return round_intersection(d, -p.y(), 0.02);
  }
};

ShapeSolid make(const Values& values) {
  const double height = values.at("height");
  ShapeSolid made;
  made.solid.label = [head = std::make_shared<Head>(), s = 1 / height](const Vec3& p) {
    return (*head)(s * p) < 0 ? 1 : 0;
  };
  made.solid.regions = {"head"};
  made.solid.bounds = with_margin({height * Vec3(-0.42, 0, -0.37), height * Vec3(0.45, 1.03, 0.37)});
  made.solid.thickness = 0.05 * height;
  made.finest_detail = 0.09 * height;
  made.detail_parameter = "height";
  return made;
}

}  // namespace

Shape head_shape() {
  return {"head",
          "A human head that looks to +x, on a neck that stands at y = 0",
          {{"edge", "m", "edge length", {0.022, 0.0059, 0.0032}, 1e-6, 1e3},
           {"height", "m", "from the foot of the neck to the crown", {0.3, 0.3, 0.3}, 1e-6, 1e3}},
          make};
}

}  // namespace sinew::mesher
