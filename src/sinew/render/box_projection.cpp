#include "sinew/render/box_projection.h"

namespace sinew {

BoxProjection::BoxProjection(const Points& rest, const Mat3& to_y, double width)
    : to_y_(to_y), center_(Vec3::Zero()), width_(width) {
  if (rest.cols() > 0) {
    const Vec3 low = rest.rowwise().minCoeff(), high = rest.rowwise().maxCoeff();
    center_ = 0.5 * (low + high);
    if (!(width_ > 0)) width_ = (high - low).maxCoeff();
  }
  if (!(width_ > 0)) width_ = 1;
}

std::array<float, 2> BoxProjection::coordinates(const Vec3& place, const Vec3& normal) const {
  Eigen::Index axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  const double side = normal[axis] < 0 ? -1 : 1;
  const double u = axis == 0 ? -side * place[2] : axis == 1 ? place[0] : side * place[0];
  const double v = axis == 1 ? -side * place[2] : place[1];
  return {static_cast<float>(0.5 + u / width_), static_cast<float>(0.5 + v / width_)};
}

}  // namespace sinew
