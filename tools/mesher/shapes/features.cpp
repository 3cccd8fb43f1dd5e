#include "shapes/features.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew::mesher {

void add_box_edges(const Eigen::AlignedBox3d& box, std::vector<Polyline>& features, const std::vector<double>& levels) {
  const Vec3 &a = box.min(), &b = box.max();
  const auto corner = [&](int k, double y) {  // counted around the vertical axis
    return Vec3(k == 1 || k == 2 ? b.x() : a.x(), y, k >= 2 ? b.z() : a.z());
  };
  std::vector<double> heights = {a.y()};
  heights.insert(heights.end(), levels.begin(), levels.end());
  heights.push_back(b.y());
  for (std::size_t i = 0; i < heights.size(); ++i) {
    for (int k = 0; k < 4; ++k) {
      features.push_back({corner(k, heights[i]), corner((k + 1) % 4, heights[i])});
      if (i > 0) features.push_back({corner(k, heights[i - 1]), corner(k, heights[i])});
    }
  }
}

int chord_count(double length, double chord, int least) {
  constexpr double most = 20000;  // far more than a mesh that is not refused for its number of tets can follow
  return static_cast<int>(std::clamp(std::ceil(length / chord), static_cast<double>(least), most));
}

Polyline circle_around_z(double radius, double z, double chord) {
  const int count = chord_count(2 * std::numbers::pi * radius, chord, 16);
  Polyline circle;
  for (int i = 0; i <= count; ++i) {
    const double angle = 2 * std::numbers::pi * (i % count) / count;
    circle.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
  }
  return circle;
}

Eigen::AlignedBox3d with_margin(const Eigen::AlignedBox3d& box, double part) {
  // A long thin solid would be lost in a margin of many times its width.
  const Vec3 margin = Vec3::Constant(std::min(part * box.diagonal().norm(), box.sizes().minCoeff()));
  return {box.min() - margin, box.max() + margin};
}

Eigen::AlignedBox3d centred_box(const Vec3& size) {
  return {-0.5 * size, 0.5 * size};
}

}  // namespace sinew::mesher
