#include "sinew/io/rigid_track.h"

#include <limits>

#include <Eigen/SVD>

namespace sinew {
namespace {

// Of the largest coordinate. Rounding to float32 moves a coordinate by 6e-8 of itself.
constexpr double rigid_tolerance = 2e-7;

}  // namespace

std::optional<RigidTrack> rigid_track(std::size_t frames, const std::function<Eigen::Matrix3Xf(std::size_t)>& frame) {
  const Points start = frame(0).cast<double>();
  RigidTrack track;
  track.center = start.rowwise().mean();
  const Points local = start.colwise() - track.center;
  for (std::size_t k = 0; k < frames; ++k) {
    const Points now = k == 0 ? start : Points(frame(k).cast<double>());
    const Vec3 center = now.rowwise().mean();
    const Eigen::Matrix3d covariance = (now.colwise() - center) * local.transpose();
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Eigen::Matrix3d sign = Eigen::Matrix3d::Identity();
    sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    // A surface that stays is not to turn by rounding.
    const bool stays = (now - start).cwiseAbs().maxCoeff() == 0;
    const Eigen::Matrix3d rotation =
        stays ? Eigen::Matrix3d(Eigen::Matrix3d::Identity()) : svd.matrixU() * sign * svd.matrixV().transpose();
    const Points off = (now.colwise() - center) - rotation * local;
    const double size = std::max(now.cwiseAbs().maxCoeff(), start.cwiseAbs().maxCoeff());
    if (!(off.cwiseAbs().maxCoeff() <= rigid_tolerance * size)) return {};
    Eigen::Quaterniond turn(rotation);
    if (!track.rotation.empty() && turn.dot(track.rotation.back()) < 0) turn.coeffs() *= -1;
    track.rotation.push_back(turn);
    track.translation.push_back(center);
    track.moves = track.moves || !stays;
  }
  return track;
}

}  // namespace sinew
