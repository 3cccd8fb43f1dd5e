#include "sinew/model/motion.h"

#include <algorithm>
#include <numbers>

#include <Eigen/Geometry>

namespace sinew {
namespace {

Mat3 rotation_at(const Motion::Rotation& rotation, double time) {
  const double angle = rotation.degrees.at(time)[0] * std::numbers::pi / 180;
  return Eigen::AngleAxisd(angle, rotation.axis).toRotationMatrix();
}

}  // namespace

KeyValue Keyframes::at(double time) const {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  if (after == times.begin()) return values.col(0);
  const auto k = after - times.begin() - 1;
  if (after == times.end()) return values.col(k);
  const double fraction = (time - times[k]) / (times[k + 1] - times[k]);
  return (1 - fraction) * values.col(k) + fraction * values.col(k + 1);
}

Vec3 Motion::apply(const Vec3& rest, double time) const {
  Vec3 x = rest;
  if (scaling) {
    const KeyValue s = scaling->factors.at(time);
    const Vec3 factors = s.size() == 1 ? Vec3::Constant(s[0]) : Vec3(s);
    x = scaling->center + factors.cwiseProduct(x - scaling->center);
  }
  if (rotation) x = rotation->center + rotation_at(*rotation, time) * (x - rotation->center);
  if (translation) x += translation->at(time);
  return x;
}

Vec3 Motion::rotate_vector(const Vec3& direction, double time) const {
  return rotation ? Vec3(rotation_at(*rotation, time) * direction) : direction;
}

}  // namespace sinew
