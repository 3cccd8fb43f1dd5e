// Limbs of animals: capsules one after the other, with joints between them.
#pragma once

#include <limits>
#include <vector>

#include "sdf.h"

namespace sinew::mesher {

struct Limb {
  std::vector<Vec3> points;   // two or more, none twice
  std::vector<double> radii;  // at the points, linear between them [m]

  double distance(const Vec3& p) const {
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
      least = std::min(least, capsule_distance(p, points[i], points[i + 1], radii[i], radii[i + 1]));
    return least;
  }

  // Whether p is near the inner point i, between two planes across the limb there, each `half` away from the point.
  bool in_joint(const Vec3& p, std::size_t i, double half) const {
    constexpr double near = 1.8;  // in radii: the slices of limbs that bend are wider than the limbs
    const Vec3 q = p - points[i];
    if (q.squaredNorm() >= near * near * radii[i] * radii[i]) return false;
    const Vec3 along = (points[i] - points[i - 1]).normalized() + (points[i + 1] - points[i]).normalized();
    return std::abs(q.dot(along)) < half * along.norm();
  }
};

// The same with its z turned to the positive side: the solids of bodies that are mirrored at z = 0.
inline Vec3 mirrored(const Vec3& p) {
  return {p.x(), p.y(), std::abs(p.z())};
}

}  // namespace sinew::mesher
