// A frame that rotates about a fixed axis, in which a scene may be given.
#pragma once

#include "sinew/model/motion.h"

namespace sinew {

struct SpinSetup {
  Vec3 axis = Vec3(0, 1, 0);   // unit
  Vec3 center = Vec3::Zero();  // a point on the axis [m]
  double speed = 0;            // [rad/s], counterclockwise seen against the axis
  Keyframes keys;              // 1 x k, replaces `speed` unless empty

  double at(double time) const { return keys.empty() ? speed : keys.at(time)[0]; }
  // The square of the speed. Without keyframes it grows with the load, `ramp`, as the centrifugal force does.
  double square(double time, double ramp) const { return (keys.empty() ? ramp : 1) * at(time) * at(time); }
  // The angle by which the frame turns between two times [rad].
  double angle(double from, double to) const;
  double largest_speed() const { return keys.empty() ? std::abs(speed) : keys.values.cwiseAbs().maxCoeff(); }

  Mat3 cross() const;                                                         // [a]x, a x r for each r
  Mat3 across() const { return Mat3::Identity() - axis * axis.transpose(); }  // P: the part of r across the axis
};

}  // namespace sinew
