#include "sinew/render/view.h"

#include <algorithm>
#include <cmath>

namespace sinew {

View::View(const Camera& given, int w, int h, const Vec3& around, double nearest, double farthest)
    : camera(given), width(w), height(h), origin(around), near(nearest), far(farthest) {
  Eigen::Matrix4d shift = Eigen::Matrix4d::Identity();
  shift.topRightCorner<3, 1>() = origin;
  to_camera = camera.matrix() * shift;
  // Camera coordinates have y down, and the rows of a picture go down: rows of OpenGL go up.
  const double x = 2 * scale() / width, y = -2 * scale() / height;
  to_clip.setZero();
  to_clip(0, 0) = x;
  to_clip(1, 1) = y;
  if (orthographic()) {
    to_clip(2, 2) = 2 / (far - near);
    to_clip(2, 3) = -(far + near) / (far - near);
    to_clip(3, 3) = 1;
  } else {
    to_clip(2, 2) = (far + near) / (far - near);
    to_clip(2, 3) = -2 * far * near / (far - near);
    to_clip(3, 2) = 1;
  }
}

Eigen::Vector2d View::depth_map() const {
  if (orthographic()) return {-near / (far - near), 1 / (far - near)};
  return {far / (far - near), -far * near / (far - near)};
}

LightView::LightView(const Points& points, const Vec3& origin, const Vec3& direction) {
  const Vec3 side = direction.unitOrthogonal();
  Mat3 axes;
  axes << side.transpose(), direction.cross(side).transpose(), -direction.transpose();
  const Points local = axes * (points.colwise() - origin);
  const Vec3 low = local.rowwise().minCoeff(), high = local.rowwise().maxCoeff(), middle = 0.5 * (low + high);
  const Vec3 size = high - low;
  width = 1.08 * std::max({size[0], size[1], 1e-9 * std::max(size[2], 1e-9)});
  const double depth = 1.1 * std::max(size[2], 0.1 * width);
  const Vec3 scale(1 / width, 1 / width, 1 / depth);
  to_light.setIdentity();
  to_light.topLeftCorner<3, 3>() = scale.asDiagonal() * axes;
  to_light.topRightCorner<3, 1>() = Vec3::Constant(0.5) - scale.cwiseProduct(middle);
}

}  // namespace sinew
