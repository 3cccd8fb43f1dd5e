// Keyframed motions of fixed vertices and obstacles, and keyframed factors of loads.
#pragma once

#include <optional>
#include <vector>

#include "sinew/core/types.h"

namespace sinew {

// A value of up to three numbers, stored without allocation.
using KeyValue = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 3, 1>;

// A function of time: piecewise linear, constant before the first and after the last key.
struct Keyframes {
  std::vector<double> times;  // ascending [s]; in statics fractions of the load, 0 to 1
  MatX values;                // d x times

  bool empty() const { return times.empty(); }
  KeyValue at(double time) const;
};

// Maps rest positions to targets: scales about `scale_center`, then rotates about an axis, then translates.
struct Motion {
  struct Rotation {
    Vec3 axis = Vec3(0, 1, 0);   // unit
    Vec3 center = Vec3::Zero();  // [m]
    Keyframes degrees;           // 1 x k
  };
  struct Scaling {
    Vec3 center = Vec3::Zero();  // [m]
    Keyframes factors;           // 1 x k or 3 x k
  };
  std::optional<Keyframes> translation;  // 3 x k [m]
  std::optional<Rotation> rotation;
  std::optional<Scaling> scaling;

  bool empty() const { return !translation && !rotation && !scaling; }
  Vec3 apply(const Vec3& rest, double time) const;
  // Applies only the rotation, for plane normals.
  Vec3 rotate_vector(const Vec3& direction, double time) const;
};

}  // namespace sinew
