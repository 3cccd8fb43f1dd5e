// Solids with known volumes and interfaces, for the tests of the mesher and for its timings.
#pragma once

#include <algorithm>
#include <cmath>

#include "solid.h"

namespace sinew::mesher::test {

inline Solid ball(double radius = 1) {
  Solid solid;
  solid.label = [radius](const Vec3& p) { return p.squaredNorm() < radius * radius ? 1 : 0; };
  solid.regions = {"ball"};
  solid.bounds = {Vec3::Constant(-1.1 * radius), Vec3::Constant(1.1 * radius)};
  solid.thickness = 2 * radius;
  return solid;
}

// A core within a shell; both are kept, or the core is left out.
inline Solid layered_ball(double core, bool hollow = false) {
  Solid solid = ball();
  solid.label = [core, hollow](const Vec3& p) {
    const double r = p.norm();
    return r > 1 ? 0 : r > core ? 1 : hollow ? 0 : 2;
  };
  solid.regions = {"shell"};
  if (!hollow) solid.regions.push_back("core");
  solid.thickness = 1 - core;
  return solid;
}

// The left and the right half of a ball in two regions: the interface meets the boundary.
inline Solid halved_ball() {
  Solid solid = ball();
  solid.label = [](const Vec3& p) { return p.norm() > 1 ? 0 : p.x() < 0.1 * std::sin(3 * p.y()) ? 1 : 2; };
  solid.regions = {"left", "right"};
  solid.thickness = 0.8;
  return solid;
}

// A box of layers in z, from 0 to the last height, with its edges and the edges of the interfaces.
inline Solid layers(const std::vector<double>& heights) {
  Solid solid;
  solid.label = [heights](const Vec3& p) {
    if (p.minCoeff() < 0 || p.x() > 1 || p.y() > 1 || p.z() >= heights.back()) return 0;
    return static_cast<int>(std::upper_bound(heights.begin(), heights.end(), p.z()) - heights.begin()) + 1;
  };
  std::vector<double> levels{0};
  levels.insert(levels.end(), heights.begin(), heights.end());
  const double corner[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
  solid.thickness = 1;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    for (int i = 0; i < 4; ++i) {
      const Vec3 a(corner[i][0], corner[i][1], levels[k]), b(corner[i + 1][0], corner[i + 1][1], levels[k]);
      solid.features.push_back({a, b});
      if (k > 0) solid.features.push_back({Vec3(a.x(), a.y(), levels[k - 1]), a});
    }
    if (k == 0) continue;
    solid.regions.push_back("layer " + std::to_string(k));
    solid.thickness = std::min(solid.thickness, levels[k] - levels[k - 1]);
  }
  solid.bounds = {Vec3::Constant(-0.05), Vec3(1.05, 1.05, heights.back() + 0.05)};
  return solid;
}

// Struts with round ends along the edges of n^3 cells of side 1 / n, blended at the joints.
inline Solid lattice(int n, double radius) {
  Solid solid;
  solid.label = [n, radius](const Vec3& p) {
    const double scale = 1.0 / n;
    Vec3 node, within;
    for (int k = 0; k < 3; ++k) {
      node[k] = std::clamp(std::round(p[k] * n), 0.0, static_cast<double>(n)) * scale;
      within[k] = std::clamp(p[k], 0.0, 1.0);
    }
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      Vec3 nearest = node;
      nearest[k] = within[k];
      sum += std::exp(-6 * ((p - nearest).norm() / radius - 1));
    }
    return sum > 1 ? 1 : 0;
  };
  solid.regions = {"lattice"};
  solid.bounds = {Vec3::Constant(-2 * radius), Vec3::Constant(1 + 2 * radius)};
  solid.thickness = 2 * radius;
  return solid;
}

}  // namespace sinew::mesher::test
