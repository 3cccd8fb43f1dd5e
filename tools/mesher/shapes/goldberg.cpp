#include "shapes/goldberg.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace sinew::mesher {
namespace {

// Vertices and faces of an icosahedron: poles at +-y and two rings of five.
std::array<Vec3, 12> icosahedron_corners() {
  std::array<Vec3, 12> p;
  p[0] = Vec3(0, 1, 0);
  p[11] = Vec3(0, -1, 0);
  const double y = 1 / std::sqrt(5.0), r = 2 * y, fifth = 0.4 * std::numbers::pi;
  for (int i = 0; i < 5; ++i) {
    p[static_cast<std::size_t>(1 + i)] = Vec3(r * std::cos(i * fifth), y, r * std::sin(i * fifth));
    p[static_cast<std::size_t>(6 + i)] = Vec3(r * std::cos((i + 0.5) * fifth), -y, r * std::sin((i + 0.5) * fifth));
  }
  return p;
}

std::vector<std::array<int, 3>> icosahedron_faces() {
  std::vector<std::array<int, 3>> faces;
  for (int i = 0; i < 5; ++i) {
    const int j = (i + 1) % 5;
    faces.push_back({0, 1 + i, 1 + j});
    faces.push_back({1 + i, 6 + i, 1 + j});
    faces.push_back({1 + j, 6 + i, 6 + j});
    faces.push_back({6 + i, 11, 6 + j});
  }
  return faces;
}

}  // namespace

SphereTiling goldberg_tiling(int n) {
  const std::array<Vec3, 12> p = icosahedron_corners();
  // A point of the cut faces as (vertex, weight) pairs, ascending: the same from either face.
  using Key = std::vector<std::pair<int, int>>;
  std::map<Key, int> ids;
  SphereTiling tiling;
  std::vector<Vec3>& points = tiling.cells;
  std::map<std::array<int, 2>, int> first_face;  // of an edge between two points
  const auto point = [&](const std::array<int, 3>& face, int a, int b, int c) {
    Key key;
    Vec3 x = Vec3::Zero();
    const std::array<int, 3> weights = {a, b, c};
    for (std::size_t k = 0; k < 3; ++k) {
      if (weights[k] == 0) continue;
      key.emplace_back(face[k], weights[k]);
      x += weights[k] * p[static_cast<std::size_t>(face[k])];
    }
    std::sort(key.begin(), key.end());
    const auto [at, inserted] = ids.try_emplace(key, static_cast<int>(points.size()));
    if (inserted) points.push_back(x.normalized());
    return at->second;
  };
  const auto triangle = [&](const std::array<int, 3>& t) {
    const auto at = [&](std::size_t k) { return points[static_cast<std::size_t>(t[k])]; };
    const int id = static_cast<int>(tiling.corners.size());
    tiling.corners.push_back((at(0) + at(1) + at(2)).normalized());
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
      const auto [found, inserted] = first_face.try_emplace({low, high}, id);
      if (!inserted) tiling.edges.push_back({found->second, id});
    }
  };
  for (const auto& face : icosahedron_faces()) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; i + j < n; ++j) {
        const int k = n - i - j;  // >= 1
        triangle({point(face, i, j, k), point(face, i + 1, j, k - 1), point(face, i, j + 1, k - 1)});
        if (k < 2) continue;
        triangle({point(face, i + 1, j, k - 1), point(face, i + 1, j + 1, k - 2), point(face, i, j + 1, k - 1)});
      }
    }
  }
  return tiling;
}

std::vector<Vec3> arc(const Vec3& a, const Vec3& b, int k) {
  const double angle = std::acos(std::clamp(a.dot(b), -1.0, 1.0));
  std::vector<Vec3> points;
  for (int i = 0; i <= k; ++i) {
    const double t = static_cast<double>(i) / k;
    points.push_back((std::sin((1 - t) * angle) * a + std::sin(t * angle) * b) / std::sin(angle));
  }
  return points;
}

}  // namespace sinew::mesher
