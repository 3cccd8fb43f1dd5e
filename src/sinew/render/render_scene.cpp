#include "sinew/render/render_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

constexpr double largest_obstacle = 3, farthest_plane = 1;  // in diagonals of the main objects

Rgb of_hex(unsigned hex) {
  return Rgb(static_cast<float>(hex >> 16 & 255u), static_cast<float>(hex >> 8 & 255u),
             static_cast<float>(hex & 255u)) /
         255.0f;
}

}  // namespace

Rgb body_color(std::size_t body) {
  constexpr std::array<unsigned, 8> colors = {0x2d75c2, 0xfb9131, 0x1da7b2, 0xf55470,  // as in web/src/colors.js
                                              0xedd489, 0x99c8e6, 0x6b3384, 0x536b13};
  return of_hex(colors[body % colors.size()]);
}

Rgb linear_color(const Rgb& color) {
  return color.unaryExpr([](float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); });
}

RenderBox box_of(const Points& points) {
  if (points.cols() == 0) return {Vec3::Constant(-0.5), Vec3::Constant(0.5)};
  return {points.rowwise().minCoeff(), points.rowwise().maxCoeff()};
}

Points framed_points(const RenderScene& scene) {
  std::vector<const RenderObject*> framed;
  Vec3 low = Vec3::Constant(INFINITY), high = -low;
  const auto add = [&](const RenderObject& object) {
    framed.push_back(&object);
    low = low.cwiseMin(object.positions.rowwise().minCoeff());
    high = high.cwiseMax(object.positions.rowwise().maxCoeff());
  };
  for (const RenderObject& object : scene.objects)
    if (object.main && object.positions.cols() > 0) add(object);
  const bool no_main = framed.empty();
  const double size = no_main ? INFINITY : (high - low).norm();
  for (const RenderObject& object : scene.objects) {
    if (object.main || object.positions.cols() == 0) continue;
    if (no_main || box_of(object.positions).diagonal() <= largest_obstacle * size) add(object);
  }
  Eigen::Index count = 0;
  for (const RenderObject* object : framed) count += object->positions.cols();
  std::vector<Vec3> below;
  for (const RenderObject* object : framed) {
    if (!object->main) continue;
    const RenderBox box = box_of(object->positions);
    for (const RenderPlane& plane : scene.planes) {
      if (plane.normal.dot(scene.up) < 0.5) continue;
      for (int k = 0; k < 8; ++k) {
        const Vec3 corner(k & 1 ? box.low[0] : box.high[0], k & 2 ? box.low[1] : box.high[1],
                          k & 4 ? box.low[2] : box.high[2]);
        const double height = (corner - plane.point).dot(plane.normal);
        if (height > 0 && height < farthest_plane * (high - low).norm())
          below.push_back(corner - height * plane.normal);
      }
    }
  }
  Points points(3, count + static_cast<Eigen::Index>(below.size()));
  Eigen::Index next = 0;
  for (const RenderObject* object : framed) {
    points.middleCols(next, object->positions.cols()) = object->positions;
    next += object->positions.cols();
  }
  for (const Vec3& point : below) points.col(next++) = point;
  return points;
}

}  // namespace sinew
