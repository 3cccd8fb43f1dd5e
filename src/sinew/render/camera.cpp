#include "sinew/render/camera.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "sinew/core/error.h"

namespace sinew {
namespace {

constexpr double radians = std::numbers::pi / 180, margin = 1.08, azimuth = 31 * radians, elevation = 24 * radians;

// Rows: right, down, along the view.
Mat3 camera_axes(const Vec3& view, const Vec3& up) {
  const Vec3 forward = view.normalized(), right = forward.cross(up).normalized();
  Mat3 axes;
  axes << right.transpose(), forward.cross(right).transpose(), forward.transpose();
  return axes;
}

}  // namespace

void Camera::check() const {
  if (!position.allFinite() || !target.allFinite() || !up.allFinite())
    fail_input(code::argument, "camera: found a number that is not finite in position, target or up");
  const Vec3 view = target - position;
  if (!(view.norm() > 0)) fail_input(code::argument, "camera: position and target are equal, expected two points");
  if (!(view.normalized().cross(up.normalized()).norm() > 1e-9))
    fail_input(code::argument, "camera: up lies along the view, expected another direction");
  if (!(fov > 0 && fov < 180))
    fail_input(code::argument, "camera: fov: found {}, expected degrees between 0 and 180", fov);
  if (orthographic && !(*orthographic > 0 && std::isfinite(*orthographic)))
    fail_input(code::argument, "camera: orthographic: found {}, expected a positive height [m]", *orthographic);
}

Eigen::Matrix4d Camera::matrix() const {
  const Mat3 axes = camera_axes(target - position, up);
  Eigen::Matrix4d result = Eigen::Matrix4d::Identity();
  result.topLeftCorner<3, 3>() = axes;
  result.topRightCorner<3, 1>() = -axes * position;
  return result;
}

double Camera::scale(int height) const {
  return orthographic ? height / *orthographic : 0.5 * height / std::tan(0.5 * fov * radians);
}

Eigen::Matrix2Xd Camera::project(const Points& points, int width, int height) const {
  const Eigen::Matrix4d m = matrix();
  const double s = scale(height);
  const Eigen::Vector2d middle(0.5 * width, 0.5 * height);
  Eigen::Matrix2Xd pixels(2, points.cols());
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    const Vec3 p = m.topLeftCorner<3, 3>() * points.col(i) + m.topRightCorner<3, 1>();
    const double depth = orthographic ? 1 : p[2];
    pixels.col(i) = middle + s * p.head<2>() / depth;
    if (!(p[2] > 0)) pixels.col(i).setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  return pixels;
}

// Along each axis of the picture, |r - c| <= t (z - z_c) for all points (r, z) in camera coordinates: the camera
// (c, z_c) lies between two lines, which meet where it is nearest.
Camera Camera::fit(const Points& points, const Vec3& direction, const Vec3& up, double fov, double aspect) {
  Camera camera;
  camera.up = up;
  camera.fov = fov;
  const Vec3 towards = direction.normalized();
  const Mat3 axes = camera_axes(-towards, up);
  const Points local = axes * points;
  const double t_y = std::tan(0.5 * fov * radians) / margin;
  const double t[] = {t_y * aspect, t_y};
  Vec3 eye;
  eye[2] = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 2; ++k) {
    const auto z = local.row(2), r = local.row(k);
    const double low = (r - t[k] * z).maxCoeff(), high = (r + t[k] * z).minCoeff();
    eye[k] = 0.5 * (low + high);
    eye[2] = std::min(eye[2], 0.5 * (high - low) / t[k]);
  }
  const double nearest = local.row(2).minCoeff(), farthest = local.row(2).maxCoeff();
  const double size = (local.rowwise().maxCoeff() - local.rowwise().minCoeff()).norm();
  eye[2] = std::min(eye[2], nearest - 0.05 * size - (size > 0 ? 0 : 1));
  camera.position = axes.transpose() * eye;
  camera.target = camera.position + (0.5 * (nearest + farthest) - eye[2]) * -towards;
  return camera;
}

Vec3 Camera::usual_direction(const Vec3& up) {
  const Vec3 over = up.normalized();
  const Vec3 side = std::abs(over[0]) < 0.9 ? Vec3(1, 0, 0) : Vec3(0, 0, -1);
  const Vec3 right = (side - side.dot(over) * over).normalized(), front = right.cross(over);
  return std::cos(elevation) * (std::cos(azimuth) * front + std::sin(azimuth) * right) + std::sin(elevation) * over;
}

}  // namespace sinew
