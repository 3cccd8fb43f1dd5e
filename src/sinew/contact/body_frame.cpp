#include "sinew/contact/body_frame.h"

#include <algorithm>
#include <cmath>

#include <Eigen/SVD>

#include "sinew/core/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t chunk = 4096;  // vertices

template <class T>
struct Sum {
  T value = T::Zero();
  Sum& operator+=(const Sum& other) {
    value += other.value;
    return *this;
  }
};

// The sum of f(v), which must be a T and not an expression of its temporaries.
template <class T, class F>
T sum_over(std::span<const Index> ids, F&& f) {
  static_assert(std::is_same_v<decltype(f(Index{})), T>);
  return parallel_sum_chunks<Sum<T>>(ids.size(), chunk,
                                     [&](std::size_t begin, std::size_t end) {
                                       Sum<T> sum;
                                       for (std::size_t i = begin; i < end; ++i) sum.value += f(ids[i]);
                                       return sum;
                                     })
      .value;
}

template <class F>
Vec3 mean_over(std::span<const Index> ids, F&& f) {
  return ids.empty() ? Vec3(Vec3::Zero()) : Vec3(sum_over<Vec3>(ids, f) / static_cast<double>(ids.size()));
}

// The rotation that minimises |R - A|_F: R = U diag(1, 1, det(U V^T)) V^T of A = U S V^T (Kabsch 1976). A may be
// singular.
Mat3 closest_rotation(const Mat3& A) {
  if (!A.allFinite()) return Mat3::Identity();
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Vec3 sign = Vec3::Ones();
  if ((svd.matrixU() * svd.matrixV().transpose()).determinant() < 0) sign[2] = -1;
  return svd.matrixU() * sign.asDiagonal() * svd.matrixV().transpose();
}

// Mean displacement and largest difference from it.
template <class Displacement>
MeanMotion measure(std::span<const Index> ids, Displacement&& d) {
  MeanMotion motion;
  motion.mean = mean_over(ids, d);
  motion.spread = parallel_max(
      ids.size(), 0, [&](std::size_t i) { return (d(ids[i]) - motion.mean).norm(); }, chunk);
  return motion;
}

}  // namespace

// Least squares fit of x_v = center + R y_v: R is the rotation closest to the covariance
//   sum_v (x_v - mean x)(y_v - mean y)^T,
// and center = mean x - R mean y.
BodyFrame fit_frame(std::span<const Index> ids, const Points& body, const Points& x) {
  BodyFrame frame;
  const Vec3 mean = mean_over(ids, [&](Index v) -> Vec3 { return body.col(v); });
  const Vec3 now = mean_over(ids, [&](Index v) -> Vec3 { return x.col(v); });
  const Mat3 covariance =
      sum_over<Mat3>(ids, [&](Index v) -> Mat3 { return (x.col(v) - now) * (body.col(v) - mean).transpose(); });
  frame.rotation = closest_rotation(covariance);
  frame.center = now - frame.rotation * mean;
  return frame;
}

// The same fit of x + d to x about the mean of x. cos(angle / 2) = sqrt((1 + tr R) / 4).
RigidStep fit_step(std::span<const Index> ids, const Points& x, const Points& d) {
  RigidStep step;
  step.center = mean_over(ids, [&](Index v) -> Vec3 { return x.col(v); });
  step.mean = mean_over(ids, [&](Index v) -> Vec3 { return d.col(v); });
  const Mat3 covariance = sum_over<Mat3>(ids, [&](Index v) -> Mat3 {
    const Vec3 offset = x.col(v) - step.center;
    return (offset + (d.col(v) - step.mean)) * offset.transpose();
  });
  step.rotation = closest_rotation(covariance);
  step.shrink = std::sqrt(std::clamp((1 + step.rotation.trace()) / 4, 0.0, 1.0));
  return step;
}

MeanMotion mean_motion(std::span<const Index> ids, const Points& from, const Points& to) {
  return measure(ids, [&](Index v) -> Vec3 { return to.col(v) - from.col(v); });
}

MeanMotion mean_motion(std::span<const Index> ids, const Points& d) {
  return measure(ids, [&](Index v) -> Vec3 { return d.col(v); });
}

}  // namespace sinew
