#include "deviation.h"

#include <algorithm>
#include <cmath>

#include "sinew/core/parallel.h"

namespace sinew::mesher {
namespace {

struct Sums {
  double max = 0, moment = 0, area = 0;

  Sums& operator+=(const Sums& other) {
    max = std::max(max, other.max);
    moment += other.moment;
    area += other.area;
    return *this;
  }
};

// A triangle cut into n^2 equal ones: their corners for the maximum, their centres for the mean.
Sums sample(const Vec3& a, const Vec3& b, const Vec3& c, const SurfaceTree& other, int n) {
  Sums sums;
  const auto point = [&](double i, double j) -> Vec3 { return a + i / n * (b - a) + j / n * (c - a); };
  for (int i = 0; i <= n; ++i) {
    for (int j = 0; i + j <= n; ++j) sums.max = std::max(sums.max, other.closest(point(i, j)).distance);
  }
  const double area = (b - a).cross(c - a).norm() / 2 / (n * n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; i + j < n; ++j) {
      for (const double shift : {1.0 / 3, 2.0 / 3}) {
        if (shift > 0.5 && i + j + 1 >= n) continue;
        const double d = other.closest(point(i + shift, j + shift)).distance;
        sums.max = std::max(sums.max, d);
        sums.moment += area * d;
        sums.area += area;
      }
    }
  }
  return sums;
}

}  // namespace

Deviation deviation(const Points& vertices, const Triangles& triangles, const SurfaceTree& other, double spacing) {
  constexpr int finest = 30;
  const Sums sums = parallel_sum_chunks<Sums>(
      static_cast<std::size_t>(triangles.cols()), 256, [&](std::size_t begin, std::size_t end) {
        Sums part;
        for (std::size_t f = begin; f < end; ++f) {
          const auto at = static_cast<Eigen::Index>(f);
          const Vec3 a = vertices.col(triangles(0, at)), b = vertices.col(triangles(1, at)),
                     c = vertices.col(triangles(2, at));
          const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
          part +=
              sample(a, b, c, other, static_cast<int>(std::clamp(std::ceil(longest / spacing), 1.0, double(finest))));
        }
        return part;
      });
  return {sums.max, sums.area > 0 ? sums.moment / sums.area : 0};
}

}  // namespace sinew::mesher
