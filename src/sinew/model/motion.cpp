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

// Hermite's cubic with slopes of central differences, one-sided at the ends.
VecX cubic(const std::vector<double>& times, const MatX& values, std::size_t k, double time) {
  const auto slope = [&](std::size_t i) -> VecX {
    const std::size_t before = i > 0 ? i - 1 : 0, after = std::min(i + 1, times.size() - 1);
    return (values.col(static_cast<Eigen::Index>(after)) - values.col(static_cast<Eigen::Index>(before))) /
           (times[after] - times[before]);
  };
  const double h = times[k + 1] - times[k], s = (time - times[k]) / h;
  const auto a = values.col(static_cast<Eigen::Index>(k)), b = values.col(static_cast<Eigen::Index>(k) + 1);
  return (1 + 2 * s) * (1 - s) * (1 - s) * a + s * s * (3 - 2 * s) * b +
         h * (s * (1 - s) * (1 - s) * slope(k) - s * s * (1 - s) * slope(k + 1));
}

// f(key, share): the value is (1 - share) v_key + share v_(key + 1).
template <class F>
auto between_keys(const Course& course, double time, F&& f) {
  const std::vector<double>& times = course.times;
  const std::size_t last = times.size() - 1;
  if (time <= times[0]) return f(std::size_t{0}, 0.0);
  if (time >= times[last] && !course.goes_on) return f(last - 1, 1.0);
  const auto after = std::upper_bound(times.begin() + 1, times.end() - 1, time);
  const auto key = static_cast<std::size_t>(after - times.begin()) - 1;
  return f(key, (time - times[key]) / (times[key + 1] - times[key]));
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

void Poses::at(double time, Mat3& rotation, Vec3& translation) const {
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  VecX q, d;
  if (after == times.begin() || after == times.end()) {
    const Eigen::Index k = after == times.begin() ? 0 : static_cast<Eigen::Index>(times.size()) - 1;
    q = rotations.col(k);
    d = translations.col(k);
  } else {
    const auto k = static_cast<std::size_t>(after - times.begin() - 1);
    q = cubic(times, rotations, k, time);
    d = cubic(times, translations, k, time);
  }
  rotation = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
  translation = d;
}

Vec3 Course::apply(const Vec3& rest, double time, Index vertex) const {
  if (!by_vertex()) {
    const Map m = map(time);
    return m.leftCols<3>() * rest + m.col(3);
  }
  return between_keys(*this, time, [&](std::size_t key, double share) -> Vec3 {
    return (1 - share) * places[key].col(vertex) + share * places[key + 1].col(vertex);
  });
}

Course::Map Course::map(double time) const {
  return between_keys(*this, time, [&](std::size_t key, double share) -> Map {
    return (1 - share) * maps[key] + share * maps[key + 1];
  });
}

Eigen::Matrix<double, 3, 4> Motion::map(double time) const {
  if (course) return course->map(time);
  Eigen::Matrix<double, 3, 4> map;
  map.col(3) = apply(Vec3::Zero(), time);
  for (int k = 0; k < 3; ++k) map.col(k) = apply(Vec3::Unit(k), time) - map.col(3);
  return map;
}

Vec3 Motion::apply(const Vec3& rest, double time, Index vertex) const {
  if (course) return course->apply(rest, time, vertex);
  if (poses) {
    Mat3 R;
    Vec3 d;
    poses->at(time, R, d);
    return R * (rest - poses->center) + poses->center + d;
  }
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
  if (course) return course->map(time).leftCols<3>() * direction;
  if (poses) {
    Mat3 R;
    Vec3 d;
    poses->at(time, R, d);
    return R * direction;
  }
  return rotation ? Vec3(rotation_at(*rotation, time) * direction) : direction;
}

}  // namespace sinew
