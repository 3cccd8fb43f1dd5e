#include "sinew/io/affine_track.h"

#include <array>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

namespace sinew {
namespace {

// Of the largest coordinate. Rounding to float32 moves a coordinate by 6e-8 of itself.
constexpr double track_tolerance = 2e-7;
// Smallest ratio of the squared extents of a surface for which an affine motion is unique.
constexpr double least_extent = 1e-8;

Mat3 nearest_rotation(const Mat3& a) {
  const Eigen::JacobiSVD<Mat3> svd(a, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat3 sign = Mat3::Identity();
  sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
  return svd.matrixU() * sign * svd.matrixV().transpose();
}

// The eigenvectors of a symmetric matrix as columns of a rotation, of which all orders and signs are possible: those
// nearest to `wanted`.
Mat3 nearest_axes(const Mat3& symmetric, const Mat3& wanted) {
  const Mat3 v = Eigen::SelfAdjointEigenSolver<Mat3>(symmetric).eigenvectors();
  constexpr std::array<std::array<int, 3>, 6> orders = {
      {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
  Mat3 best = Mat3::Identity();
  double most = -4;
  for (const auto& order : orders) {
    for (int signs = 0; signs < 8; ++signs) {
      Mat3 axes;
      for (int k = 0; k < 3; ++k) axes.col(k) = v.col(order[k]) * ((signs >> k & 1) ? -1 : 1);
      if (axes.determinant() < 0) continue;
      const double near = axes.cwiseProduct(wanted).sum();
      if (near > most) {
        most = near;
        best = axes;
      }
    }
  }
  return best;
}

Eigen::Quaterniond near_quaternion(const Mat3& rotation, const std::vector<Eigen::Quaterniond>& before) {
  Eigen::Quaterniond q(rotation);
  if (!before.empty() && q.dot(before.back()) < 0) q.coeffs() *= -1;
  return q;
}

class TrackFit {
 public:
  TrackFit(const Points& start, bool rigid) : start_(start) {
    track_.rigid = rigid;
    track_.center = start.rowwise().mean();
    local_ = start.colwise() - track_.center;
    const Mat3 square = local_ * local_.transpose();
    const Vec3 extents = Eigen::SelfAdjointEigenSolver<Mat3>(square).eigenvalues();
    unique_ = rigid || extents[0] > least_extent * extents[2];
    if (unique_) inverse_ = square.inverse();
  }

  // Whether the frame is moved as a whole.
  bool add(const Points& now) {
    if (!unique_) return false;
    const Vec3 center = now.rowwise().mean();
    const Points off = now.colwise() - center;
    const bool stays = (now - start_).cwiseAbs().maxCoeff() == 0;  // is not to turn by rounding
    const Mat3 covariance = off * local_.transpose();
    Mat3 motion = Mat3::Identity();
    if (!stays) motion = track_.rigid ? nearest_rotation(covariance) : Mat3(covariance * inverse_);
    const double size = std::max(now.cwiseAbs().maxCoeff(), start_.cwiseAbs().maxCoeff());
    if (!((off - motion * local_).cwiseAbs().maxCoeff() <= track_tolerance * size)) return false;
    const Mat3 rotation = track_.rigid ? motion : nearest_rotation(motion);
    Mat3 axes = Mat3::Identity();
    Vec3 scale = Vec3::Ones();
    if (!track_.rigid) {
      const Mat3 stretch = rotation.transpose() * motion;  // symmetric
      axes = nearest_axes(0.5 * (stretch + stretch.transpose()), last_axes_);
      scale = (axes.transpose() * stretch * axes).diagonal();
      if (scale.minCoeff() <= 0) return false;  // turned inside out
      last_axes_ = axes;
    }
    track_.rotation.push_back(near_quaternion(rotation * axes, track_.rotation));
    track_.axes.push_back(near_quaternion(axes.transpose(), track_.axes));
    track_.scale.push_back(scale);
    track_.translation.push_back(center);
    track_.moves = track_.moves || !stays;
    return true;
  }

  AffineTrack& track() { return track_; }

 private:
  const Points& start_;
  Points local_;
  Mat3 inverse_, last_axes_ = Mat3::Identity();
  bool unique_ = true;
  AffineTrack track_;
};

}  // namespace

// Rigid motion: Kabsch, "A solution for the best rotation to relate two sets of vectors", 1976. Affine motion: polar
// decomposition R S, with S = V diag(s) V^T.
std::optional<AffineTrack> affine_track(std::size_t frames, const std::function<Eigen::Matrix3Xf(std::size_t)>& frame) {
  const Points start = frame(0).cast<double>();
  for (const bool rigid : {true, false}) {
    TrackFit fit(start, rigid);
    std::size_t k = 0;
    while (k < frames && fit.add(k == 0 ? start : Points(frame(k).cast<double>()))) ++k;
    if (k == frames) return std::move(fit.track());
  }
  return {};
}

}  // namespace sinew
